// A worker's part of the synthetic workload: its steps, and its share of the keys to evaluate.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/popularity.hpp"

namespace pslab::synthetic {

inline KeySpace keys_of(const Options& options) {
  return KeySpace({{"keys", options.keys, options.stored_length}},
                  options.value_length / options.stored_length);
}

/// Both outlive it.
std::unique_ptr<WorkerTask> make_task(const Options& options, const Popularity& popularity);

}  // namespace pslab::synthetic
