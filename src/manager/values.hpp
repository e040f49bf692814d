// Copying and adding float vectors.
#pragma once

#include <cstddef>
#include <cstring>

namespace pslab::manager {

inline void copy_value(float* __restrict to, const float* __restrict from, std::size_t length) {
  std::memcpy(to, from, length * sizeof(float));
}

/// Adds with the widest vector instructions that this machine has.
extern void (*const add_long_value)(float* to, const float* delta, std::size_t length);

inline void add_value(float* __restrict to, const float* __restrict delta, std::size_t length) {
  constexpr std::size_t kShort = 8;  // below that a call costs more than it saves
  if (length >= kShort) return add_long_value(to, delta, length);
  for (std::size_t i = 0; i < length; ++i) to[i] += delta[i];
}

}  // namespace pslab::manager
