// Link prediction: for each held-out triple, the rank of its object among all entities given
// subject and relation, and that of its subject given relation and object.
#pragma once

#include <array>

#include "api/worker.hpp"
#include "workloads/knowledge_graph/ranking.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// Of a worker's share of held-out triples.
struct Evaluation {
  struct Side {
    RankSums filtered;
    RankSums raw;
  };
  std::array<Side, 2> sides;  ///< questions for the object, for the subject
  double not_numbers = 0.0;   ///< scores that are none
};

/// Reads every entity, a part at a time, once for every few thousand triples.
Evaluation evaluate(const Shared& shared, const HeldOut& held_out, Worker& worker);

}  // namespace pslab::kge
