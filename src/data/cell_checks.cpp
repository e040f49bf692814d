#include "data/cell_checks.hpp"

#include <cmath>
#include <cstddef>

namespace pslab::data {
namespace {

/// Positions of the cells, grouped by row, in the order of the cells within a row.
struct ByRow {
  explicit ByRow(const std::vector<Cell>& cells, std::uint32_t rows)
      : begin(std::size_t{rows} + 1, 0), position(cells.size()) {
    for (const Cell& cell : cells) ++begin[cell.row + 1];
    for (std::size_t row = 0; row < rows; ++row) begin[row + 1] += begin[row];
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      position[next[cells[i].row]++] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<std::uint64_t> begin;  ///< of each row, and the end
  std::vector<std::uint32_t> position;
};

constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

}  // namespace

std::uint64_t merge_duplicates(
    std::vector<Cell>& cells, std::uint32_t rows, std::uint32_t cols, Duplicates how,
    const std::function<void(std::uint64_t first, std::uint64_t second)>& refuse) {
  const ByRow by_row(cells, rows);
  std::vector<std::uint32_t> first_of_col(cols, kNowhere);
  std::vector<std::uint32_t> merged(cols, 0);
  std::vector<bool> drop(cells.size(), false);
  std::uint64_t dropped = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto visit = [&](auto&& action) {
      for (std::uint64_t k = by_row.begin[row]; k < by_row.begin[row + 1]; ++k) {
        action(by_row.position[k]);
      }
    };
    visit([&](std::uint32_t at) {
      std::uint32_t& first = first_of_col[cells[at].col];
      if (first == kNowhere) {
        first = at;
        merged[cells[at].col] = 1;
        return;
      }
      if (how == Duplicates::kRefuse) refuse(first, at);
      Cell& kept = cells[first];
      const double count = ++merged[kept.col];
      const double value = cells[at].value;
      kept.value = how == Duplicates::kMean
                       ? static_cast<float>(kept.value + (value - kept.value) / count)
                       : cells[at].value;
      drop[at] = true;
      ++dropped;
    });
    visit([&](std::uint32_t at) { first_of_col[cells[at].col] = kNowhere; });
  }
  if (dropped == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!drop[i]) cells[kept++] = cells[i];
  }
  cells.resize(kept);
  return dropped;
}

void count_unseen_and_leaked(Ratings& ratings) {
  ratings.test_unseen = 0;
  ratings.leaked = 0;
  if (ratings.test.empty()) return;
  std::vector<bool> row_seen(ratings.rows, false);
  std::vector<bool> col_seen(ratings.cols, false);
  for (const Cell& cell : ratings.train) {
    row_seen[cell.row] = true;
    col_seen[cell.col] = true;
  }
  for (const Cell& cell : ratings.test) {
    if (!row_seen[cell.row] || !col_seen[cell.col]) ++ratings.test_unseen;
  }
  // For each row: mark the columns of its training cells, then look its test cells up.
  const ByRow train(ratings.train, ratings.rows);
  const ByRow test(ratings.test, ratings.rows);
  std::vector<std::uint32_t> marked_by(ratings.cols, kNowhere);
  for (std::uint32_t row = 0; row < ratings.rows; ++row) {
    if (test.begin[row] == test.begin[row + 1]) continue;
    for (std::uint64_t k = train.begin[row]; k < train.begin[row + 1]; ++k) {
      marked_by[ratings.train[train.position[k]].col] = row;
    }
    for (std::uint64_t k = test.begin[row]; k < test.begin[row + 1]; ++k) {
      if (marked_by[ratings.test[test.position[k]].col] == row) ++ratings.leaked;
    }
  }
}

HoldOut::HoldOut(double share, std::uint64_t total, std::uint64_t seed)
    : wanted_(static_cast<std::uint64_t>(std::llround(share * static_cast<double>(total)))),
      needed_(wanted_),
      left_(total),
      random_(seed, "data.hold_out") {}

bool HoldOut::next() {
  const bool chosen = needed_ > 0 && random_.below(left_) < needed_;
  --left_;
  if (chosen) --needed_;
  return chosen;
}

void hold_out(Ratings& ratings, double share, std::uint64_t seed) {
  HoldOut choice(share, ratings.train.size(), seed);
  std::vector<Cell> train;
  train.reserve(ratings.train.size() - choice.held_out());
  for (const Cell& cell : ratings.train) (choice.next() ? ratings.test : train).push_back(cell);
  ratings.train = std::move(train);
}

}  // namespace pslab::data
