#include "data/zipf_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "data/cell_checks.hpp"
#include "data/matrix_market.hpp"
#include "data/zipf_cells.hpp"

namespace pslab::data {
namespace {

std::vector<std::uint32_t> permutation(std::uint32_t size, std::uint64_t seed,
                                       std::string_view purpose) {
  std::vector<std::uint32_t> result(size);
  std::iota(result.begin(), result.end(), 0U);
  Random(seed, purpose).shuffle(std::span(result));
  return result;
}

/// The planted factor of one row or column, a function of the seed and its id.
void draw_factor(std::uint64_t seed, std::string_view purpose, std::uint32_t id,
                 std::span<float> factor) {
  const double deviation = std::pow(static_cast<double>(factor.size()), -0.25);
  Random random(seed, purpose, id);
  for (float& component : factor) component = static_cast<float>(deviation * random.normal());
}

/// Values of the cells of one row after another.
class PlantedTruth {
 public:
  explicit PlantedTruth(const ZipfMatrix& matrix)
      : seed_(matrix.split.seed),
        noise_(matrix.noise),
        row_(matrix.truth_rank),
        cols_(std::size_t{matrix.cols} * matrix.truth_rank) {
    for (std::uint32_t col = 0; col < matrix.cols; ++col) {
      draw_factor(seed_, "zipf_matrix.col_factor", col,
                  std::span(cols_).subspan(col * row_.size(), row_.size()));
    }
  }

  void fill(std::uint32_t row, std::span<Cell> cells) {
    if (cells.empty()) return;
    draw_factor(seed_, "zipf_matrix.row_factor", row, row_);
    Random random(seed_, "zipf_matrix.noise", row);
    for (Cell& cell : cells) {
      const float* col = cols_.data() + cell.col * row_.size();
      double value = noise_ * random.normal();
      for (std::size_t k = 0; k < row_.size(); ++k) value += double{row_[k]} * double{col[k]};
      cell.value = static_cast<float>(value);
    }
  }

 private:
  std::uint64_t seed_;
  double noise_;
  std::vector<float> row_;
  std::vector<float> cols_;
};

}  // namespace

ZipfMatrix::ZipfMatrix(config::Options& options, const Split& shared_split) : split(shared_split) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxKeys);
  rows = static_cast<std::uint32_t>(
      options.integer("rows", 100'000, 1, kMost, "", "rows of the generated matrix"));
  cols = static_cast<std::uint32_t>(
      options.integer("cols", 10'000, 1, kMost, "", "columns of the generated matrix"));
  cells = static_cast<std::uint64_t>(
      options.integer("cells", 1'000'000, 1, 10'000'000'000, "",
                      "generated cells, training and test together; at most half of the matrix"));
  zipf = options.real("zipf", 1.1, 0.0, 3.0, "",
                      "exponent of the Zipf law of rows and of columns; 0: uniform");
  truth_rank = static_cast<std::uint32_t>(
      options.integer("truth_rank", 8, 1, 1000, "", "rank of the planted truth"));
  noise = options.real("noise", 0.1, 0.0, 1000.0, "",
                       "standard deviation of the noise added to each value");
}

void ZipfMatrix::check(const config::Options& options) const {
  if (std::uint64_t{rows} + cols > kMaxKeys) {
    options.reject("rows", fmt::format("and cols ({}) together exceed {} keys", cols, kMaxKeys));
  }
  const std::uint64_t most = std::uint64_t{rows} * cols / 2;
  if (cells > most) {
    options.reject("cells", fmt::format("must be at most {}, half of rows ({}) x cols ({})", most,
                                        rows, cols));
  }
}

std::uint64_t ZipfMatrix::test_cells() const {
  return HoldOut(split.test_share, cells, split.seed).held_out();
}

void ZipfMatrix::generate(
    const std::function<void(std::span<const Cell>, std::span<const Cell>)>& sink) const {
  const ZipfCells filled(rows, cols, cells, zipf, split.seed);
  const std::vector<std::uint32_t> rank_of_row = permutation(rows, split.seed, "zipf_matrix.rows");
  const std::vector<std::uint32_t> col_of_rank = permutation(cols, split.seed, "zipf_matrix.cols");
  PlantedTruth truth(*this);
  HoldOut choice(split.test_share, cells, split.seed);
  std::vector<Cell> row_cells;
  std::vector<Cell> train;
  std::vector<Cell> test;
  filled.each_row([&](std::uint32_t row) { return rank_of_row[row]; },
                  [&](std::uint32_t row, std::span<const std::uint32_t> col_ranks) {
                    row_cells.clear();
                    for (const std::uint32_t rank : col_ranks) {
                      row_cells.push_back({row, col_of_rank[rank], 0.0F});
                    }
                    std::sort(row_cells.begin(), row_cells.end(),
                              [](const Cell& a, const Cell& b) { return a.col < b.col; });
                    truth.fill(row, row_cells);
                    train.clear();
                    test.clear();
                    for (const Cell& cell : row_cells) {
                      (choice.next() ? test : train).push_back(cell);
                    }
                    sink(train, test);
                  });
}

std::string ZipfMatrix::describe() const {
  return fmt::format(
      "generated matrix, {} x {}, {} cells, zipf {}, truth of rank {} + noise {}, seed {}", rows,
      cols, cells, shortest(zipf), truth_rank, shortest(noise), split.seed);
}

Ratings generate_zipf_matrix(const ZipfMatrix& matrix) {
  Ratings ratings;
  ratings.rows = matrix.rows;
  ratings.cols = matrix.cols;
  ratings.test.reserve(matrix.test_cells());
  ratings.train.reserve(matrix.cells - matrix.test_cells());
  matrix.generate([&](std::span<const Cell> train, std::span<const Cell> test) {
    ratings.train.insert(ratings.train.end(), train.begin(), train.end());
    ratings.test.insert(ratings.test.end(), test.begin(), test.end());
  });
  count_unseen_and_leaked(ratings);
  ReadReport report;
  report.source = matrix.describe();
  report.records = matrix.cells;
  report.notes.push_back(fmt::format("{} of the cells are test cells", ratings.test.size()));
  ratings.reports.push_back(std::move(report));
  return ratings;
}

void write_zipf_matrix(const ZipfMatrix& matrix, const std::string& train_path,
                       const std::string& test_path, const std::function<void(double)>& progress) {
  const std::uint64_t test_cells = matrix.test_cells();
  MatrixMarketWriter train_file(train_path, matrix.rows, matrix.cols, matrix.cells - test_cells);
  std::optional<MatrixMarketWriter> test_file;
  if (test_cells > 0) test_file.emplace(test_path, matrix.rows, matrix.cols, test_cells);
  const std::uint32_t step = std::max(matrix.rows / 100, 1U);
  std::uint32_t row = 0;
  matrix.generate([&](std::span<const Cell> train, std::span<const Cell> test) {
    train_file.write(train);
    if (test_file) test_file->write(test);
    if (++row % step == 0 && progress) progress(static_cast<double>(row) / matrix.rows);
  });
  train_file.finish();
  if (test_file) test_file->finish();
}

}  // namespace pslab::data
