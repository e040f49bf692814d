// Every push adds 1 to the first component of a value, so that lost updates show.
#pragma once

#include <vector>

#include "api/key_space.hpp"
#include "api/worker.hpp"

namespace pslab::synthetic {

/// What a key's pushes are counted with is a float, which is exact below this.
constexpr float kExactCounts = 0x1p24F;

/// Places in a task's sums.
enum Sum : unsigned {
  kPushes,   ///< keys pushed in the epoch
  kCounted,  ///< pushes that the values have counted since the beginning
  kInexact,  ///< keys with kExactCounts pushes or more
  kSums
};

inline std::vector<double> no_sums() {
  return std::vector<double>(kSums, 0.0);
}

/// Appends what is pushed to a key.
void add_delta(std::vector<float>& deltas, std::size_t length);

/// Reads the worker's share of all keys and adds to kCounted and kInexact.
void count_pushes(Worker& worker, const KeySpace& keys, std::vector<double>& sums);

}  // namespace pslab::synthetic
