// The generator of skewed ratings: exact counts, the same data for the same seed, the expected
// skew.
#include "data/zipf_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "data/describe.hpp"
#include "data/matrix_market.hpp"
#include "data/zipf_cells.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

ZipfMatrix small_matrix() {
  ZipfMatrix matrix;
  matrix.rows = 1500;
  matrix.cols = 1000;  // more cells than what ZipfCells treats as a small matrix
  matrix.cells = 20'000;
  matrix.split.test_share = 0.1;
  return matrix;
}

std::vector<Cell> all_cells(const Ratings& ratings) {
  std::vector<Cell> cells = ratings.train;
  cells.insert(cells.end(), ratings.test.begin(), ratings.test.end());
  return cells;
}

std::uint64_t positions_hash(const std::vector<Cell>& cells) {
  std::uint64_t hash = 0;
  for (const Cell& cell : cells) hash = mix64(hash ^ (std::uint64_t{cell.row} << 32 | cell.col));
  return hash;
}

TEST(ZipfMatrix, HasExactlyTheCellsAskedForAndNoneTwice) {
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{777}, std::uint64_t{20'000}, std::uint64_t{750'000}}) {
    ZipfMatrix matrix = small_matrix();
    matrix.cells = count;
    const Ratings ratings = generate_zipf_matrix(matrix);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const Cell& cell : all_cells(ratings)) {
      ASSERT_LT(cell.row, matrix.rows);
      ASSERT_LT(cell.col, matrix.cols);
      seen.emplace(cell.row, cell.col);
    }
    EXPECT_EQ(ratings.train.size() + ratings.test.size(), count);
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(ratings.test.size(), matrix.test_cells());
    EXPECT_EQ(ratings.leaked, 0U);
  }
}

TEST(ZipfMatrix, IsTheSameOnEveryMachineForOneSeed) {
  ZipfMatrix matrix = small_matrix();
  const Ratings first = generate_zipf_matrix(matrix);
  const Ratings again = generate_zipf_matrix(matrix);
  EXPECT_EQ(positions_hash(first.train), 12934650551569879456U);
  EXPECT_EQ(positions_hash(first.test), 10504534835803475694U);
  ASSERT_EQ(first.train.size(), again.train.size());
  for (std::size_t i = 0; i < first.train.size(); ++i) {
    ASSERT_EQ(first.train[i].value, again.train[i].value) << "cell " << i;
  }
  matrix.split.seed = 2;
  EXPECT_NE(positions_hash(generate_zipf_matrix(matrix).train), positions_hash(first.train));
}

TEST(ZipfMatrix, ComesInTheOrderOfRowsThenColumns) {
  const Ratings ratings = generate_zipf_matrix(small_matrix());
  const auto before = [](const Cell& a, const Cell& b) {
    return std::pair(a.row, a.col) < std::pair(b.row, b.col);
  };
  EXPECT_TRUE(std::is_sorted(ratings.train.begin(), ratings.train.end(), before));
  EXPECT_TRUE(std::is_sorted(ratings.test.begin(), ratings.test.end(), before));
}

// Expected shares: solve for the number of draws with 1e6 distinct cells expected, see
// zipf_cells.hpp.
TEST(ZipfMatrix, HasTheSkewThatDrawingUntilEnoughDistinctCellsGives) {
  const Ratings ratings = generate_zipf_matrix(ZipfMatrix());  // 100,000 x 10,000, 1e6 cells
  std::vector<std::uint64_t> cols(ratings.cols, 0);
  for (const Cell& cell : all_cells(ratings)) ++cols[cell.col];
  EXPECT_NEAR(top_share(cols, 0.01), 0.388, 0.003) << "top 100 columns";
  EXPECT_NEAR(top_share(cols, 0.1), 0.670, 0.003) << "top 1000 columns";
}

/// The definition, taken literally: how often each column is filled.
std::vector<double> fills_by_drawing(std::uint32_t rows, std::uint32_t cols, std::uint64_t cells,
                                     double exponent, std::uint64_t trials) {
  const auto cumulative = [exponent](std::uint32_t size) {
    std::vector<double> sums;
    for (std::uint32_t rank = 1; rank <= size; ++rank) {
      sums.push_back((sums.empty() ? 0 : sums.back()) + std::pow(rank, -exponent));
    }
    return sums;
  };
  const auto draw = [](const std::vector<double>& sums, Random& random) {
    const auto at = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sums.back());
    return static_cast<std::uint32_t>(at - sums.begin());
  };
  const std::vector<double> row_sums = cumulative(rows);
  const std::vector<double> col_sums = cumulative(cols);
  std::vector<double> fills(cols, 0);
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    Random random(trial, "test.draw");
    std::set<std::pair<std::uint32_t, std::uint32_t>> filled;
    while (filled.size() < cells) {
      const std::uint32_t row = draw(row_sums, random);
      const std::uint32_t col = draw(col_sums, random);
      if (filled.emplace(row, col).second) ++fills[col];
    }
  }
  return fills;
}

std::vector<double> fills_by_clocks(std::uint32_t rows, std::uint32_t cols, std::uint64_t cells,
                                    double exponent, std::uint64_t trials) {
  std::vector<double> fills(cols, 0);
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    ZipfCells(rows, cols, cells, exponent, trial)
        .each_row([](std::uint32_t row) { return row; },
                  [&](std::uint32_t, std::span<const std::uint32_t> filled) {
                    for (const std::uint32_t col : filled) ++fills[col];
                  });
  }
  return fills;
}

TEST(ZipfCells, FillsColumnsAsOftenAsDrawingAndRejectingDoes) {
  constexpr std::uint64_t kTrials = 4000;
  for (const double exponent : {0.0, 1.1, 2.0}) {
    const std::vector<double> drawn = fills_by_drawing(6, 5, 9, exponent, kTrials);
    const std::vector<double> clocks = fills_by_clocks(6, 5, 9, exponent, kTrials);
    for (std::size_t col = 0; col < drawn.size(); ++col) {
      // Six rows, so a variance of at most 6 * 6 / 4 a trial in each; 5 deviations of the
      // difference.
      EXPECT_NEAR(clocks[col], drawn[col], 5 * std::sqrt(2.0 * kTrials * 1.5))
          << "exponent " << exponent << ", column " << col;
    }
  }
}

TEST(ZipfCells, FillsColumnsAsOftenAsDrawingAndRejectingDoesWhereItUsesAWindow) {
  constexpr std::uint64_t kTrials = 3;
  const std::vector<double> drawn = fills_by_drawing(2000, 600, 30'000, 1.1, kTrials);
  const std::vector<double> clocks = fills_by_clocks(2000, 600, 30'000, 1.1, kTrials);
  for (const std::size_t col : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{50}}) {
    EXPECT_NEAR(clocks[col], drawn[col], 5 * std::sqrt(2 * drawn[col])) << "column " << col;
  }
}

TEST(ZipfMatrix, HasValuesOfVarianceOnePlusNoise) {
  ZipfMatrix matrix;
  matrix.zipf = 0.5;  // many rows and columns with equal weight, so that the mean settles
  matrix.cells = 300'000;
  matrix.truth_rank = 16;
  matrix.noise = 0.5;
  double sum = 0;
  double squares = 0;
  const std::vector<Cell> cells = all_cells(generate_zipf_matrix(matrix));
  for (const Cell& cell : cells) {
    sum += double{cell.value};
    squares += double{cell.value} * double{cell.value};
  }
  const auto count = static_cast<double>(cells.size());
  EXPECT_NEAR(sum / count, 0.0, 0.02);
  EXPECT_NEAR(squares / count, 1.25, 0.03);
}

/// Test error of plain SGD over the training cells.
double learnt_rmse(const Ratings& ratings, std::size_t rank, int epochs) {
  Random random(1, "test.learn");
  const auto factors = [&](std::size_t keys) {
    std::vector<double> all(keys * rank);
    for (double& x : all) x = 0.3 * random.normal();
    return all;
  };
  std::vector<double> rows = factors(ratings.rows);
  std::vector<double> cols = factors(ratings.cols);
  const auto error = [&](const Cell& cell) {
    double value = double{cell.value};
    for (std::size_t k = 0; k < rank; ++k)
      value -= rows[cell.row * rank + k] * cols[cell.col * rank + k];
    return value;
  };
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const Cell& cell : ratings.train) {
      const double step = 0.05 * error(cell);
      for (std::size_t k = 0; k < rank; ++k) {
        double& w = rows[cell.row * rank + k];
        double& h = cols[cell.col * rank + k];
        const double old = w;
        w += step * h;
        h += step * old;
      }
    }
  }
  double squares = 0;
  for (const Cell& cell : ratings.test) squares += error(cell) * error(cell);
  return std::sqrt(squares / static_cast<double>(ratings.test.size()));
}

TEST(ZipfMatrix, HasAPlantedTruthThatCanBeLearnt) {
  ZipfMatrix matrix;
  matrix.rows = 300;
  matrix.cols = 200;
  matrix.cells = 15'000;
  matrix.zipf = 0.3;
  matrix.truth_rank = 2;
  matrix.split.test_share = 0.1;
  EXPECT_LT(learnt_rmse(generate_zipf_matrix(matrix), 2, 60), 0.25) << "predicting 0 gives 1";
}

TEST(ZipfMatrix, WritesTheSameCellsToFilesAsItGeneratesInMemory) {
  const TempDirectory temp;
  const ZipfMatrix matrix = small_matrix();
  const std::string train = temp.path() + "/train.mmc";
  const std::string test = temp.path() + "/test.mmc";
  std::vector<double> progress;
  write_zipf_matrix(matrix, train, test, [&](double share) { progress.push_back(share); });
  RatingsSource source;
  source.train = train;
  source.test = test;
  const Ratings read = read_ratings(source);
  const Ratings made = generate_zipf_matrix(matrix);
  EXPECT_EQ(positions_hash(read.train), positions_hash(made.train));
  EXPECT_EQ(positions_hash(read.test), positions_hash(made.test));
  EXPECT_EQ(read.train.at(17).value, made.train.at(17).value);
  EXPECT_EQ(read.rows, made.rows);
  EXPECT_EQ(progress.size(), 100U);
  EXPECT_EQ(progress.back(), 1.0);
}

}  // namespace
}  // namespace pslab::data
