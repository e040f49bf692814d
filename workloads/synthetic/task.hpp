// A worker's part of the synthetic workload: its steps, and its share of the keys to evaluate.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/popularity.hpp"

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

/// Both outlive it.
std::unique_ptr<WorkerTask> make_task(const Options& options, const Popularity& popularity);

}  // namespace pslab::synthetic
