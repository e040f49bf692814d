// The rank of the true answer among all entities, raw and filtered, and the measures made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/triples.hpp"

namespace pslab::kge {

/// Where an answer stands among the others with its score. Only the mean gives a model that gives
/// all entities the same score the rank of chance (Sun et al., ACL 2020).
enum class Ties { kMean, kWorst, kBest };

/// Sums over questions: divided by their number they are MRR and Hits@1, 3, 10.
struct RankSums {
  static constexpr std::size_t kSize = 4;
  double reciprocal = 0.0;
  double hits_1 = 0.0;
  double hits_3 = 0.0;
  double hits_10 = 0.0;

  /// A rank with ties is not an integer.
  void add(double rank);
};

/// One question, whose candidates' scores come in parts.
class Ranking {
 public:
  /// `known`: all true answers by ascending `object`, `answer` among them. Filtered ranks leave out
  /// all but `answer`.
  Ranking(std::uint32_t answer, float score, std::span<const data::Triple> known)
      : answer_(answer), score_(score), known_(known) {}

  /// Scores of the entities from `first` on; parts come in ascending order and cover all entities.
  void add(std::uint32_t first, std::span<const float> scores);

  /// 1 + entities with a better score + none, half or all of the others with the same one.
  double raw_rank(Ties ties) const { return rank(better_, tied_, ties); }
  double filtered_rank(Ties ties) const {
    return rank(better_ - known_better_, tied_ - known_tied_, ties);
  }

  /// Scores that are no number, the answer's included; then ranks mean nothing.
  std::uint64_t not_numbers() const { return not_numbers_; }

 private:
  static double rank(std::uint64_t better, std::uint64_t tied, Ties ties);

  std::uint32_t answer_;
  float score_;
  std::span<const data::Triple> known_;  ///< those that have not come yet
  std::uint64_t better_ = 0;             ///< than the answer's
  std::uint64_t tied_ = 0;               ///< without the answer itself
  std::uint64_t known_better_ = 0;
  std::uint64_t known_tied_ = 0;
  std::uint64_t not_numbers_ = 0;
};

}  // namespace pslab::kge
