// The rank of the true answer among all entities, raw and filtered, and the measures made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/triples.hpp"

namespace pslab::kge {

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

  /// Realistic ranks: 1 + entities with a better score + half of the others with the same one (Sun
  /// et al., ACL 2020). A model that gives every entity the same score gets the rank of chance.
  double raw_rank() const { return rank(better_, tied_); }
  double filtered_rank() const { return rank(better_ - known_better_, tied_ - known_tied_); }

  /// Scores that are no number, the answer's included; then ranks mean nothing.
  std::uint64_t not_numbers() const { return not_numbers_; }

 private:
  static double rank(std::uint64_t better, std::uint64_t tied) {
    return 1.0 + static_cast<double>(better) + static_cast<double>(tied) / 2.0;
  }

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
