// Draws from any discrete distribution in constant time: the alias method (Walker 1977), with the
// table built as by Vose (IEEE TSE 17(9), 1991). 8 bytes per outcome.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace pslab {

class AliasTable {
 public:
  /// Outcome i has probability weights[i] / sum. At least one weight, all finite and not negative,
  /// their sum positive; fewer than 2^32 of them. Probabilities are exact to 2^-32 / outcomes.
  explicit AliasTable(std::span<const double> weights);

  std::uint32_t draw(Random& random) const {
    const auto column = static_cast<std::uint32_t>(random.below(columns_.size()));
    return random.bits() < columns_[column].own ? column : columns_[column].alias;
  }

  std::uint64_t bytes() const { return columns_.size() * sizeof(Column); }

 private:
  /// A column is drawn uniformly, then one of its two outcomes.
  struct Column {
    std::uint32_t own;    ///< the outcome is the column's number for random bits below this
    std::uint32_t alias;  ///< the outcome otherwise
  };
  std::vector<Column> columns_;
};

}  // namespace pslab
