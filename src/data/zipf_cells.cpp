#include "data/zipf_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/random.hpp"

namespace pslab::data {
namespace {

/// Ranks below this stand for themselves when E[filled] is computed; above, ranks within 5 % of
/// each other share one probability (an error of E far below the width of the window).
constexpr std::uint32_t kExactRanks = 64;
constexpr double kBucketRatio = 1.05;
constexpr double kWindowDeviations = 6;
constexpr double kBucketError = 5e-4;
/// Up to this many cells, the window is everything: from 0 until each cell has been filled with
/// probability 1 - exp(-kCertain).
constexpr double kSmallMatrix = 1 << 20;
constexpr double kCertain = 40;
/// Above this probability a cell is tested on its own instead of computing a skip.
constexpr double kDense = 0.5;

struct Bucket {
  double probability;  ///< mean over the bucket
  double size;
};

double zipf_sum(std::uint32_t size, double exponent) {
  double sum = 0;
  for (std::uint32_t rank = size; rank > 0; --rank)
    sum += std::pow(rank, -exponent);  // small first
  return sum;
}

std::vector<Bucket> buckets(std::uint32_t size, double exponent, double scale) {
  std::vector<Bucket> result;
  std::uint32_t begin = 0;
  while (begin < size) {
    std::uint64_t end = std::uint64_t{begin} + 1;
    if (begin >= kExactRanks) end = static_cast<std::uint64_t>(begin * kBucketRatio) + 1;
    end = std::min<std::uint64_t>(end, size);
    const double count = static_cast<double>(end - begin);
    const double middle = 1.0 + begin + (count - 1) / 2;
    result.push_back({scale * std::pow(middle, -exponent), count});
    begin = static_cast<std::uint32_t>(end);
  }
  return result;
}

}  // namespace

ZipfCells::ZipfCells(std::uint32_t rows, std::uint32_t cols, std::uint64_t cells, double exponent,
                     std::uint64_t seed)
    : rows_(rows), cols_(cols), cells_(cells), exponent_(exponent), seed_(seed) {
  row_scale_ = 1 / zipf_sum(rows, exponent);
  const double col_scale = 1 / zipf_sum(cols, exponent);
  col_probability_.resize(cols);
  for (std::uint32_t rank = 0; rank < cols; ++rank) {
    col_probability_[rank] = col_scale * std::pow(1.0 + rank, -exponent);
  }
  while (!find_end()) ++attempt_;
}

double ZipfCells::row_probability(std::uint32_t rank) const {
  return row_scale_ * std::pow(1.0 + rank, -exponent_);
}

/// The time at which `filled` cells are expected. E[filled] is concave in time, so Newton's method
/// started on the left of the solution goes to it without overshooting.
double ZipfCells::draws_for(double filled) const {
  const std::vector<Bucket> row_buckets = buckets(rows_, exponent_, row_scale_);
  const std::vector<Bucket> col_buckets = buckets(cols_, exponent_, col_probability_[0]);
  double time = filled;
  for (int step = 0; step < 200; ++step) {
    double expected = 0;
    double slope = 0;
    for (const Bucket& row : row_buckets) {
      for (const Bucket& col : col_buckets) {
        const double rate = row.probability * col.probability;
        const double empty = std::exp(-time * rate);
        expected += row.size * col.size * (1 - empty);
        slope += row.size * col.size * rate * empty;
      }
    }
    const double change = (filled - expected) / slope;
    time += change;
    if (std::abs(change) <= 1e-6 * time) break;
  }
  return time;
}

/// Calls `visit(landing)` for every cell of the row that is filled at `late_`, columns ascending.
template <typename Visit>
void ZipfCells::walk(std::uint32_t row_rank, const Visit& visit) const {
  Random random(seed_, "zipf_cells.row", row_rank, attempt_);
  const double row_time = late_ * row_probability(row_rank);
  double bound_rate = row_time * col_probability_[0];
  double bound = -std::expm1(-bound_rate);
  for (std::uint32_t col = 0; col < cols_; ++col) {
    if (bound < kDense) {
      // A geometric number of misses: P(none of k) = (1 - bound)^k = exp(-k bound_rate).
      const double skip = std::floor(-std::log(1 - random.uniform()) / bound_rate);
      if (skip >= static_cast<double>(cols_ - col)) return;
      col += static_cast<std::uint32_t>(skip);
    }
    const double rate = row_time * col_probability_[col];
    const double filled = -std::expm1(-rate);
    const double draw = random.uniform() * (bound < kDense ? bound : 1.0);
    if (draw < filled) visit(Landing{col, draw, filled, rate});
    bound = filled;
    bound_rate = rate;
  }
}

bool ZipfCells::rang_before_window(const Landing& cell) const {
  // 1 - exp is concave, so most cells are decided without computing the time.
  return cell.draw * late_ < cell.filled * early_ || time_of(cell) < early_;
}

double ZipfCells::time_of(const Landing& cell) const {
  return -std::log1p(-cell.draw) / cell.rate * late_;
}

void ZipfCells::choose_window() {
  const double wanted = static_cast<double>(cells_);
  const double all = static_cast<double>(rows_) * static_cast<double>(cols_);
  if (all <= kSmallMatrix) {
    early_ = 0;
    late_ = kCertain / (row_probability(rows_ - 1) * col_probability_[cols_ - 1]);
    return;
  }
  const double width = std::ldexp(kWindowDeviations * std::sqrt(wanted) + kBucketError * wanted,
                                  static_cast<int>(attempt_));
  early_ = wanted > width ? draws_for(wanted - width) : 0;
  late_ = draws_for(std::min(wanted + width, (all + wanted) / 2));
}

bool ZipfCells::find_end() {
  choose_window();
  std::uint64_t before = 0;
  std::vector<double> times;
  for (std::uint32_t rank = 0; rank < rows_; ++rank) {
    walk(rank, [&](const Landing& cell) {
      if (rang_before_window(cell)) {
        ++before;
      } else {
        times.push_back(time_of(cell));
      }
    });
  }
  if (before >= cells_ || before + times.size() < cells_) return false;
  between_ = cells_ - before;
  const auto last = times.begin() + static_cast<std::ptrdiff_t>(between_ - 1);
  std::nth_element(times.begin(), last, times.end());
  end_ = *last;
  return true;
}

void ZipfCells::each_row(
    const std::function<std::uint32_t(std::uint32_t)>& rank_of,
    const std::function<void(std::uint32_t, std::span<const std::uint32_t>)>& emit) const {
  std::vector<std::uint32_t> cols;
  std::uint64_t left_between = between_;
  for (std::uint32_t i = 0; i < rows_; ++i) {
    cols.clear();
    walk(rank_of(i), [&](const Landing& cell) {
      if (rang_before_window(cell)) {
        cols.push_back(cell.col);
      } else if (left_between > 0 && time_of(cell) <= end_) {
        cols.push_back(cell.col);
        --left_between;  // two clocks of equal time must not add a cell
      }
    });
    emit(i, cols);
  }
}

}  // namespace pslab::data
