// One worker's share of training knowledge-graph embeddings.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// `shared` has been loaded and outlives it.
std::unique_ptr<WorkerTask> make_task(const Shared& shared);

}  // namespace pslab::kge
