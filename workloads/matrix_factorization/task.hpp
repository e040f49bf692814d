// One worker's share of matrix factorization.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/matrix_factorization/shared.hpp"

namespace pslab::mf {

/// `shared` has been loaded and outlives it.
std::unique_ptr<WorkerTask> make_task(Shared& shared, WorkerId worker);

}  // namespace pslab::mf
