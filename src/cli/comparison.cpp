#include "cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "cli/text_table.hpp"

namespace pslab::cli {
namespace {

using run::Status;

/// 0.975 quantiles of Student's t distribution with 1 .. 30 degrees of freedom.
constexpr std::array<double, 30> kStudent = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Half of the 95 % confidence interval of the mean; nothing for a single value.
std::optional<double> interval_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  const std::size_t freedom = values.size() - 1;
  const double quantile = freedom <= kStudent.size() ? kStudent[freedom - 1] : 1.96;
  return quantile * std::sqrt(squares / (count - 1.0) / count);
}

/// All repeats of a configuration.
struct Line {
  const run::PlannedRun* run;  ///< one of them
  std::vector<const run::RunResult*> results{};
  bool whole = true;  ///< what follows is of those that succeeded; false: none has, so of all
  std::vector<double> epoch_times{};
  std::vector<double> qualities{};
  run::Totals sums{};                      ///< over all repeats
  std::map<Status, std::size_t> others{};  ///< that did not succeed
};

void add(Line& line, const run::RunResult& result) {
  if (result.epochs.empty()) return;
  const run::Totals sums = run::totals(result);
  line.epoch_times.push_back(sums.mean_epoch_time_s());
  const run::Json& metrics = result.epochs.back().at("metrics");
  if (!metrics.empty() && !metrics.begin()->is_null()) {
    line.qualities.push_back(run::to_double(*metrics.begin()));
  }
  line.sums.epochs += sums.epochs;
  line.sums.time_s += sums.time_s;
  line.sums.oracle_s += sums.oracle_s;
  line.sums.accesses += sums.accesses;
  line.sums.local_accesses += sums.local_accesses;
  line.sums.bytes_sent += sums.bytes_sent;
  for (std::size_t i = 0; i < sums.breakdown_s.size(); ++i) {
    line.sums.breakdown_s[i] += sums.breakdown_s[i];
  }
}

/// Epochs of runs that did not succeed are shown where there is nothing better to show.
void sum_up(Line& line) {
  std::map<Status, std::size_t> counts;
  for (const run::RunResult* result : line.results) ++counts[result->status];
  line.whole = counts[Status::kSucceeded] != 0;
  for (const run::RunResult* result : line.results) {
    if (!line.whole || result->status == Status::kSucceeded) add(line, *result);
  }
  counts.erase(Status::kSucceeded);
  line.others = std::move(counts);
  // They may have ended in different epochs.
  if (!line.whole && line.qualities.size() > 1) line.qualities.clear();
}

std::vector<Line> make_lines(const run::ExperimentPlan& plan, const run::Execution& execution) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> by_configuration;
  for (const auto& [index, result] : execution.results) {
    const run::PlannedRun& run = plan.runs[index];
    // Runs that differ in a swept seed share their hash; each has a line.
    const auto [found, is_new] =
        by_configuration.emplace(run.facts.config_hash + run.configuration, lines.size());
    if (is_new) lines.push_back({.run = &run});
    lines[found->second].results.push_back(&result);
  }
  for (Line& line : lines) sum_up(line);
  return lines;
}

/// How well `base` serves as the single node that `line` is compared with; 0: not at all.
int likeness(const Line& base, const Line& line) {
  if (base.run->facts.nodes != 1 || !base.whole || base.epoch_times.empty()) return 0;
  int score = 1;
  if (base.run->facts.strategy == line.run->facts.strategy) score += 1000;
  const auto& ours = line.run->sweep.varied;
  const auto& theirs = base.run->sweep.varied;
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i) {
    if (ours[i].path != "cluster.nodes" && ours[i].value == theirs[i].value) ++score;
  }
  return score;
}

std::string speed_up(const std::vector<Line>& lines, const Line& line) {
  const auto base = std::max_element(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
    return likeness(a, line) < likeness(b, line);
  });
  if (likeness(*base, line) == 0) return "-";
  return fmt::format("{:.2f}", mean_of(base->epoch_times) / mean_of(line.epoch_times));
}

std::string with_interval(const std::vector<double>& values, std::string (*text)(double)) {
  const std::optional<double> interval = interval_of(values);
  std::string result = text(mean_of(values));
  return interval ? fmt::format("{} ± {}", result, text(*interval)) : result;
}

std::string quality_text(double value) {
  return fmt::format("{:.4g}", value);
}

std::string status_text(const Line& line) {
  std::vector<std::string> parts;
  for (const auto& [status, count] : line.others) {
    parts.push_back(line.results.size() == 1
                        ? run::name(status)
                        : fmt::format("{} of {} {}", count, line.results.size(), name(status)));
  }
  return parts.empty() ? "" : join(parts, ", ");
}

std::vector<std::string> cells(const std::vector<Line>& lines, const Line& line, bool with_oracle) {
  const run::RunFacts& facts = line.run->facts;
  const std::string status = status_text(line);
  const std::string label = run::configuration_label(*line.run, false);
  std::vector<std::string> row = {status.empty() ? label : fmt::format("{} ({})", label, status),
                                  fmt::format("{} x {}", facts.nodes, facts.workers_per_node)};
  if (line.epoch_times.empty()) {
    row.resize(6 + metrics::kTimes + (with_oracle ? 2 : 1), "-");
    return row;
  }
  row.push_back(with_interval(line.epoch_times, human_seconds));
  if (with_oracle) {
    row.push_back(line.sums.oracle_s > 0.0
                      ? fmt::format("{:.2f}", line.sums.time_s / line.sums.oracle_s)
                      : "-");
  }
  row.push_back(speed_up(lines, line));
  row.push_back(line.qualities.empty() ? "-" : with_interval(line.qualities, quality_text));
  row.push_back(line.sums.accesses > 0 ? fmt::format("{:.1f} %", 100.0 * line.sums.local_share())
                                       : "-");
  row.push_back(human_traffic(line.sums.bytes_sent / static_cast<double>(line.sums.epochs)));
  double all = 0.0;
  for (const double seconds : line.sums.breakdown_s) all += seconds;
  for (const double seconds : line.sums.breakdown_s) {
    row.push_back(all > 0.0 ? fmt::format("{:.0f} %", 100.0 * seconds / all) : "-");
  }
  return row;
}

/// The name of the main metric, if all runs have the same.
std::string metric_heading(const run::Execution& execution) {
  std::string name;
  for (const auto& [index, result] : execution.results) {
    if (result.epochs.empty()) continue;
    const run::Json& metrics = result.epochs.back().at("metrics");
    if (metrics.empty()) continue;
    if (!name.empty() && name != metrics.begin().key()) return "quality";
    name = metrics.begin().key();
  }
  return name.empty() ? "quality" : name;
}

}  // namespace

std::string comparison(const run::ExperimentPlan& plan, const run::Execution& execution) {
  const std::vector<Line> lines = make_lines(plan, execution);
  std::vector<std::vector<std::string>> rows = {
      {"", "nodes x", "epoch", "speed-up", "", "local", "sent per", "time spent", "local", "remote",
       "relocation", "barrier"},
      {"configuration", "workers", "time", "over 1 node", metric_heading(execution), "accesses",
       "epoch", "computing", "access", "wait", "wait", "wait"}};
  const bool with_oracle =
      std::ranges::any_of(lines, [](const Line& line) { return line.sums.oracle_s > 0.0; });
  if (with_oracle) {
    rows[0].insert(rows[0].begin() + 3, "times the");
    rows[1].insert(rows[1].begin() + 3, "oracle's");
  }
  for (const Line& line : lines) rows.push_back(cells(lines, line, with_oracle));
  return text_table(rows, {Align::kLeft, Align::kRight});
}

}  // namespace pslab::cli
