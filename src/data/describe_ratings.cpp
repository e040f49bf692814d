#include "data/describe_ratings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>

#include "base/text.hpp"

namespace pslab::data {
namespace {

double mean_of(const std::vector<Cell>& cells) {
  double sum = 0;
  for (const Cell& cell : cells) sum += double{cell.value};
  return sum / static_cast<double>(cells.size());
}

double rmse_around(double prediction, const std::vector<Cell>& cells) {
  double sum = 0;
  for (const Cell& cell : cells) sum += (cell.value - prediction) * (cell.value - prediction);
  return std::sqrt(sum / static_cast<double>(cells.size()));
}

std::string skew_line(std::string_view what, const std::vector<std::uint64_t>& accesses) {
  return fmt::format(
      "accesses: the top 0.1 / 1 / 10 % of the {} get {:.1f} / {:.1f} / {:.1f} %, the first {:.2f} "
      "%",
      what, 100 * top_share(accesses, 0.001), 100 * top_share(accesses, 0.01),
      100 * top_share(accesses, 0.1), 100 * top_share(accesses, 0));
}

std::string report_line(const ReadReport& report) {
  return fmt::format(
      "read: {}: {} kept, {} merged, {}, {} stripped of blanks, {} mapped to dense indices",
      report.source, counted(report.records, "record"), counted(report.duplicates, "duplicate"),
      counted(report.blank, "blank line"), counted(report.stripped, "id"),
      counted(report.remapped, "id"));
}

}  // namespace

double top_share(std::vector<std::uint64_t> accesses, double share) {
  const auto total = std::accumulate(accesses.begin(), accesses.end(), std::uint64_t{0});
  if (total == 0) return 0;
  const auto rounded =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(accesses.size())));
  const auto count =
      static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rounded, 1, accesses.size()));
  const auto end = accesses.begin() + count;
  std::nth_element(accesses.begin(), end - 1, accesses.end(), std::greater<>());
  return static_cast<double>(std::accumulate(accesses.begin(), end, std::uint64_t{0})) /
         static_cast<double>(total);
}

std::vector<std::string> describe_ratings(const Ratings& ratings) {
  std::vector<std::string> lines;
  const std::size_t cells = ratings.train.size() + ratings.test.size();
  lines.push_back(fmt::format("size: {} x {}, {} training and {}, {:.3g} % filled",
                              counted(ratings.rows, "row"), counted(ratings.cols, "column"),
                              ratings.train.size(), counted(ratings.test.size(), "test cell"),
                              100.0 * static_cast<double>(cells) / ratings.rows / ratings.cols));
  if (!ratings.train.empty()) {
    const auto by_value = [](const Cell& a, const Cell& b) { return a.value < b.value; };
    const auto [low, high] =
        std::minmax_element(ratings.train.begin(), ratings.train.end(), by_value);
    const double mean = mean_of(ratings.train);
    lines.push_back(fmt::format("values: {:g} to {:g}, mean {:.4g}, standard deviation {:.4g}",
                                low->value, high->value, mean, rmse_around(mean, ratings.train)));
    std::vector<std::uint64_t> rows(ratings.rows, 0);
    std::vector<std::uint64_t> cols(ratings.cols, 0);
    for (const Cell& cell : ratings.train) {
      ++rows[cell.row];
      ++cols[cell.col];
    }
    lines.push_back(skew_line("rows", rows));
    lines.push_back(skew_line("columns", cols));
    rows.insert(rows.end(), cols.begin(), cols.end());
    lines.push_back(skew_line("keys (rows and columns)", rows));
    if (!ratings.test.empty()) {
      lines.push_back(
          fmt::format("baseline: test RMSE {:.4f} of always predicting the training mean",
                      rmse_around(mean, ratings.test)));
    }
  }
  lines.push_back(
      fmt::format("test cells: {} with a row or column unseen in training, {} that are "
                  "training cells too",
                  ratings.test_unseen, ratings.leaked));
  for (const ReadReport& report : ratings.reports) {
    lines.push_back(report_line(report));
    for (const std::string& note : report.notes) lines.push_back("note: " + note);
  }
  return lines;
}

}  // namespace pslab::data
