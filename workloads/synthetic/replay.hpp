// A worker's part of a recorded run.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/recording.hpp"

namespace pslab::synthetic {

/// Both outlive it.
std::unique_ptr<WorkerTask> make_replay(const Options& options, const Recording& recording,
                                        WorkerId worker);

}  // namespace pslab::synthetic
