// What is checked and counted on any set of cells, wherever it came from.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "data/ratings.hpp"

namespace pslab::data {

enum class Duplicates { kKeepLast, kMean, kRefuse };

/// Merges cells of equal row and column into the first of them and returns how many went. For
/// kRefuse calls `refuse(first, second)` with the positions of two equal cells; it must throw.
/// Rows and columns must be below `rows` and `cols`; at most 2^32 - 1 cells.
std::uint64_t merge_duplicates(
    std::vector<Cell>& cells, std::uint32_t rows, std::uint32_t cols, Duplicates how,
    const std::function<void(std::uint64_t first, std::uint64_t second)>& refuse);

/// Fills in `test_unseen` and `leaked`.
void count_unseen_and_leaked(Ratings& ratings);

/// Chooses exactly round(share * total) of `total` cells that come one by one, each set of cells
/// equally likely (selection sampling, Knuth, vol. 2, 3.4.2, algorithm S).
class HoldOut {
 public:
  HoldOut(double share, std::uint64_t total, std::uint64_t seed);
  /// Whether the next cell is held out. Call `total` times.
  bool next();
  std::uint64_t held_out() const { return wanted_; }

 private:
  std::uint64_t wanted_;
  std::uint64_t needed_;
  std::uint64_t left_;
  Random random_;
};

/// Moves a share of the training cells to the test cells.
void hold_out(Ratings& ratings, double share, std::uint64_t seed);

}  // namespace pslab::data
