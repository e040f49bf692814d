// Link prediction: for each held-out triple, the rank of its object among all entities given
// subject and relation, and that of its subject given relation and object.
#pragma once

#include "api/worker.hpp"
#include "workloads/knowledge_graph/ranking.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// Of a worker's share of the held-out triples; two questions per triple.
struct Evaluation {
  RankSums filtered;
  RankSums raw;
  double not_numbers = 0.0;  ///< scores that are none
};

/// Reads every entity once, a part at a time.
Evaluation evaluate(const Shared& shared, Worker& worker);

}  // namespace pslab::kge
