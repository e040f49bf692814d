// Which cells of a matrix are filled when row and column are drawn independently from Zipf's law
// and repeated cells are drawn again, until a given number of distinct cells is reached.
//
// The set is drawn without drawing: give every cell (i, j) an exponential clock of rate p_i q_j.
// The order in which the clocks ring first is the order in which new cells turn up when draws
// arrive as a Poisson process, so the wanted set is exactly {cells whose clock rings up to T}, T
// being the time of the last wanted cell. Given a time t, cells are independent, filled with 1 -
// exp(-t p_i q_j).
//  1. Solve E[cells filled at t] = wanted. T lies within a few standard deviations: [early, late].
//  2. Count pass: walk all rows at `late`; count the cells that rang before `early` and keep the
//     times of the few between; T is one of these, found by selection.
//  3. Emit pass: walk all rows again with the same random numbers and give the cells up to T.
// Within a row, columns are visited in falling probability with geometric skips, each landing being
// thinned to its exact probability (the method of Miller and Hagberg, WAW 2011, for Chung-Lu
// graphs). Time is O(cells + rows); memory is O(columns) plus 8 bytes for each cell between early
// and late, a thousandth of the cells of a large set. Any row can be made on its own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pslab::data {

class ZipfCells {
 public:
  /// `cells` must be at most half of rows * cols. `exponent` 0 gives uniform rows and columns.
  ZipfCells(std::uint32_t rows, std::uint32_t cols, std::uint64_t cells, double exponent,
            std::uint64_t seed);

  /// For i = 0 .. rows - 1 calls `emit(i, column ranks)` with the filled cells of the row whose
  /// rank is `rank_of(i)`, a permutation; together exactly `cells` different cells. Rank 0 is the
  /// most frequent row or column. Column ranks ascend; the span is valid during the call only.
  void each_row(
      const std::function<std::uint32_t(std::uint32_t)>& rank_of,
      const std::function<void(std::uint32_t, std::span<const std::uint32_t>)>& emit) const;

 private:
  /// A filled cell. `draw` is uniform in 0 .. filled: the distribution function at its time.
  struct Landing {
    std::uint32_t col;
    double draw;
    double filled;  ///< probability of being filled at `late_`
    double rate;    ///< expected draws of this cell up to `late_`
  };

  void choose_window();
  bool find_end();
  bool rang_before_window(const Landing& cell) const;
  double time_of(const Landing& cell) const;
  double draws_for(double filled) const;
  double row_probability(std::uint32_t rank) const;
  template <typename Visit>
  void walk(std::uint32_t row_rank, const Visit& visit) const;

  std::uint32_t rows_;
  std::uint32_t cols_;
  std::uint64_t cells_;
  double exponent_;
  std::uint64_t seed_;
  double row_scale_ = 0;                 ///< 1 / sum of (1 + rank)^-exponent
  std::vector<double> col_probability_;  ///< of each column rank
  std::uint64_t attempt_ = 0;            ///< counts windows that missed T
  double early_ = 0;                     ///< times are numbers of draws, repeated ones included
  double late_ = 0;
  double end_ = 0;             ///< T
  std::uint64_t between_ = 0;  ///< cells wanted of those between early and T
};

}  // namespace pslab::data
