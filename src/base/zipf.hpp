// Zipf's law over the ranks 0 .. n-1: rank r has a probability proportional to (1 + r)^-exponent.
// Nothing here takes time or memory that grows with n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace pslab {

class Zipf {
 public:
  /// `ranks` is 1 .. 2^40, `exponent` 0 (uniform) .. 10.
  Zipf(std::uint64_t ranks, double exponent);

  std::uint64_t ranks() const { return ranks_; }

  /// A rank, by rejection-inversion (Hoermann and Derflinger, ACM TOMACS 6(3), 1996): exact, with
  /// fewer than 1.1 tries on average.
  std::uint64_t draw(Random& random) const;

  /// That a draw is one of the ranks begin .. end-1. The relative error is below 1e-8 for every
  /// rank.
  double probability(std::uint64_t begin, std::uint64_t end) const {
    return weight(begin, end) / total_;
  }

 private:
  static constexpr std::size_t kHead = 64;

  double area(double rank) const;
  double rank_at(double area) const;
  double weight(std::uint64_t rank) const;
  double weight(std::uint64_t begin, std::uint64_t end) const;
  double tail_weight(std::uint64_t first, std::uint64_t last) const;

  std::uint64_t ranks_;
  double exponent_;
  std::array<double, kHead> head_{};  ///< weights of the first ranks
  double total_ = 0.0;                ///< weight of all ranks
  double least_area_ = 0.0;           ///< draws are inversions of areas between these two
  double most_area_ = 0.0;
  double accepted_ = 0.0;  ///< a rank is right without a further test up to this far above its draw
};

}  // namespace pslab
