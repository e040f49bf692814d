// Copying and adding float vectors, in loops that the compiler vectorises.
#pragma once

#include <cstddef>
#include <cstring>

namespace pslab::manager {

inline void copy_value(float* __restrict to, const float* __restrict from, std::size_t length) {
  std::memcpy(to, from, length * sizeof(float));
}

inline void add_value(float* __restrict to, const float* __restrict delta, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) to[i] += delta[i];
}

}  // namespace pslab::manager
