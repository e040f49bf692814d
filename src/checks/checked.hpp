// How much of a history was checked.
#pragma once

#include <cstdint>

namespace pslab::checks {

/// What has been checked of an epoch, all workers together.
struct Checked {
  std::uint64_t pulls = 0;    ///< keys pulled
  std::uint64_t pushes = 0;   ///< keys pushed
  std::uint64_t dropped = 0;  ///< of these, not looked at one by one, because memory was full

  Checked& operator+=(const Checked& other) {
    pulls += other.pulls;
    pushes += other.pushes;
    dropped += other.dropped;
    return *this;
  }
};

}  // namespace pslab::checks
