// One worker's share of training knowledge-graph embeddings.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// What a worker adds to the sums of an epoch. Four for each kind of rank: see RankSums.
enum Sum : std::size_t { kLoss, kNotNumbers, kFiltered, kRaw = kFiltered + 4, kSums = kRaw + 4 };

/// The training triples of workers `begin` to `end` - 1 of `workers`.
std::span<const data::Triple> share(const Shared& shared, WorkerId begin, WorkerId end,
                                    WorkerId workers);

/// `shared` has been loaded and outlives it.
std::unique_ptr<WorkerTask> make_task(const Shared& shared);

}  // namespace pslab::kge
