// What trained vectors answer to the questions: analogies and similarities of words, by the cosines
// of their input vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/worker.hpp"
#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

/// Of a worker's share of the questions.
struct Answers {
  std::vector<std::uint64_t> right;  ///< analogies of each section
  double spearman = 0.0;             ///< 0 for all workers but one; NaN: not defined
  std::uint64_t not_numbers = 0;     ///< questions with a score that is none
};

/// Reads every candidate once, a part at a time.
Answers answer(const Shared& shared, Worker& worker);

/// Spearman's rank correlation: that of Pearson between ranks, which are means where values are the
/// same. nullopt where all values of one side are the same, as a single one is.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

}  // namespace pslab::word2vec
