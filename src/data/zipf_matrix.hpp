// Generated ratings with the access skew of the parameter server literature: rows and columns from
// Zipf's law (see zipf_cells.hpp), ids randomly permuted, values of a planted low-rank matrix plus
// noise. Every cell depends on the seed and on its own row and column only through named random
// streams, so sets larger than the memory can be written to files row by row.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "config/options.hpp"
#include "data/ratings.hpp"
#include "data/ratings_reader.hpp"

namespace pslab::data {

struct ZipfMatrix {
  std::uint32_t rows = 100'000;
  std::uint32_t cols = 10'000;
  std::uint64_t cells = 1'000'000;  ///< training and test cells together
  double zipf = 1.1;                ///< exponent for rows and for columns; 0: uniform
  std::uint32_t truth_rank = 8;     ///< factors are N(0, truth_rank^-1/4): values have variance 1
  double noise = 0.1;               ///< standard deviation added to each value
  Split split;

  ZipfMatrix() = default;
  ZipfMatrix(config::Options& options, const Split& shared_split);

  /// Refuses combinations of the options that cannot be generated.
  void check(const config::Options& options) const;

  /// The number of test cells.
  std::uint64_t test_cells() const;

  /// Calls `sink(train cells, test cells)` for each row in ascending order; columns ascend too. The
  /// spans are valid during the call. Memory: about
  /// 4 (rows + cols (3 + truth_rank)) bytes, and 8 for one cell in a thousand.
  void generate(
      const std::function<void(std::span<const Cell>, std::span<const Cell>)>& sink) const;

  /// Name and parameters in one line.
  std::string describe() const;
};

/// The whole set in memory (12 bytes a cell).
Ratings generate_zipf_matrix(const ZipfMatrix& matrix);

/// The set as two MatrixMarket files, in bounded memory; no test file if test_share is 0.
/// `progress` (may be empty) gets the share of rows done, about a hundred times.
void write_zipf_matrix(const ZipfMatrix& matrix, const std::string& train_path,
                       const std::string& test_path, const std::function<void(double)>& progress);

}  // namespace pslab::data
