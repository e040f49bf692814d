#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/text.hpp"
#include "data/describe.hpp"

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

std::string report_line(const ReadReport& report) {
  return fmt::format(
      "read: {}: {} kept, {} merged, {}, {} stripped of blanks, {} mapped to dense indices",
      report.source, counted(report.records, "record"), counted(report.duplicates, "duplicate"),
      counted(report.blank, "blank line"), counted(report.stripped, "id"),
      counted(report.remapped, "id"));
}

void describe_training(const Ratings& ratings, Description& result) {
  const auto by_value = [](const Cell& a, const Cell& b) { return a.value < b.value; };
  const auto [low, high] =
      std::minmax_element(ratings.train.begin(), ratings.train.end(), by_value);
  const double mean = mean_of(ratings.train);
  result.lines.push_back(fmt::format("values: {:g} to {:g}, mean {:.4g}, standard deviation {:.4g}",
                                     low->value, high->value, mean,
                                     rmse_around(mean, ratings.train)));
  std::vector<double> rows(ratings.rows, 0);
  std::vector<double> cols(ratings.cols, 0);
  for (const Cell& cell : ratings.train) {
    ++rows[cell.row];
    ++cols[cell.col];
  }
  std::vector<double> keys = rows;
  keys.insert(keys.end(), cols.begin(), cols.end());
  result.accesses = {{"rows", false, std::move(rows)},
                     {"columns", false, std::move(cols)},
                     {"keys (rows and columns)", false, std::move(keys)}};
  if (!ratings.test.empty()) {
    result.lines.push_back(
        fmt::format("baseline: test RMSE {:.4f} of always predicting the training mean",
                    rmse_around(mean, ratings.test)));
  }
}

}  // namespace

Description describe(const Ratings& ratings) {
  Description result;
  result.kind = "ratings";
  const std::size_t cells = ratings.train.size() + ratings.test.size();
  result.counts = {{"rows", ratings.rows},
                   {"columns", ratings.cols},
                   {"train", static_cast<double>(ratings.train.size())},
                   {"test", static_cast<double>(ratings.test.size())},
                   {"test_unseen", static_cast<double>(ratings.test_unseen)},
                   {"leaked", static_cast<double>(ratings.leaked)}};
  result.lines.push_back(
      fmt::format("size: {} x {}, {} training and {}, {:.3g} % filled",
                  counted(ratings.rows, "row"), counted(ratings.cols, "column"),
                  ratings.train.size(), counted(ratings.test.size(), "test cell"),
                  100.0 * static_cast<double>(cells) / ratings.rows / ratings.cols));
  if (!ratings.train.empty()) describe_training(ratings, result);
  result.lines.push_back(
      fmt::format("test cells: {} with a row or column unseen in training, {} that are "
                  "training cells too",
                  ratings.test_unseen, ratings.leaked));
  for (const ReadReport& report : ratings.reports) {
    result.notes.push_back(report_line(report));
    for (const std::string& note : report.notes) result.notes.push_back("note: " + note);
  }
  return result;
}

}  // namespace pslab::data
