// What workers add up, and the metrics made of the sums.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "api/workload.hpp"
#include "workloads/knowledge_graph/evaluation.hpp"

namespace pslab::kge {

/// The places of the sums. Behind them, for each held-out split and each side (object, subject),
/// the RankSums of filtered and of raw ranks.
enum Sum : std::size_t { kLoss, kScores, kNotNumbers, kRanks };

std::size_t number_of_sums(std::size_t splits);

void add_ranks(const Evaluation& evaluation, std::size_t split, std::span<double> sums);

/// Of a split ("test"): filtered, raw, filtered for objects, filtered for subjects.
std::vector<std::string> rank_metric_names(const std::string& split);

/// In the same order. `triples`: of the split.
std::vector<double> rank_metrics(std::span<const double> sums, std::size_t split,
                                 std::size_t triples);

}  // namespace pslab::kge
