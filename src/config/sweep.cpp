#include "config/sweep.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/options.hpp"
#include "config/overrides.hpp"
#include "config/path.hpp"
#include "config/slug.hpp"

namespace pslab::config {
namespace {

/// One swept path with its values.
struct Column {
  std::string path;
  std::string place;  ///< in the experiment: "sweep.zip.cluster.nodes"
  Path parts;
  Origin origin;
  List values;
  std::vector<std::string> slugs;
};

/// Columns that vary together; a crossed list is an axis of one column.
struct Axis {
  std::vector<Column> columns;
  std::size_t size() const { return columns.front().values.size(); }
};

Column read_column(const std::string& key, const Value& values, const std::string& sweep_path) {
  const std::string place =
      fmt::format("{}: {}.{}", values.origin().text(), sweep_path, printable(key));
  Column column{key, sweep_path + "." + key, split_path(key, place), values.origin(), {}, {}};
  const std::string& top = column.parts.front();
  if (top == "experiment" || top == "sweep" || top == "repeats" || top == "zip") {
    fail_input("{}: '{}' concerns all runs together and cannot be swept.", place, top);
  }
  if (!values.is_list()) {
    fail_input("{}: expected a list of values, seen {}. Put the values in [ ].", place,
               values.describe());
  }
  if (values.list()->empty()) {
    fail_input("{}: the list is empty, so there would be no run. Give values or remove the line.",
               place);
  }
  column.values = *values.list();
  column.slugs = slugs(key, column.values);
  return column;
}

// " (line 3)", or the other place a list comes from; nothing to say of the zip's own place.
std::string place_of_list(const Origin& list, const Origin& zip) {
  if (list.line != 0 && list.source == zip.source) return fmt::format(" (line {})", list.line);
  return list.source == zip.source ? "" : fmt::format(" ({})", list.text());
}

Axis read_zip(const Value& zip, const std::string& path) {
  const std::string place = zip.origin().text() + ": " + path;
  if (!zip.is_map() || zip.map()->empty()) {
    fail_input("{}: expected a map from paths to lists of equal length, seen {}.", place,
               zip.is_map() ? "an empty map" : zip.describe());
  }
  Axis axis;
  std::vector<std::string> lengths;
  for (const auto& [key, values] : *zip.map()) {
    axis.columns.push_back(read_column(key, values, path));
    lengths.push_back(fmt::format("{} has {}{}", key, values.list()->size(),
                                  place_of_list(values.origin(), zip.origin())));
  }
  for (const Column& column : axis.columns) {
    if (column.values.size() == axis.size()) continue;
    fail_input("{}: zipped lists must have equal lengths: {}.", place,
               printable(join(lengths, ", ")));
  }
  return axis;
}

void read_zips(const Value& zip, std::vector<Axis>& axes) {
  if (!zip.is_list()) {
    axes.push_back(read_zip(zip, "sweep.zip"));
    return;
  }
  if (zip.list()->empty()) {
    fail_input("{}: sweep.zip: the list is empty. Give maps or remove the line.",
               zip.origin().text());
  }
  for (std::size_t i = 0; i < zip.list()->size(); ++i) {
    axes.push_back(read_zip((*zip.list())[i], fmt::format("sweep.zip[{}]", i)));
  }
}

std::vector<Axis> read_axes(const Value& experiment) {
  std::vector<Axis> axes;
  const Value* sweep = experiment.find("sweep");
  if (sweep == nullptr) return axes;
  if (!sweep->is_map()) {
    fail_input("{}: sweep: expected a map from dotted paths to lists, seen {}.{}",
               sweep->origin().text(), sweep->describe(),
               sweep->is_null() ? " Give one or remove the line." : "");
  }
  for (const auto& [key, values] : *sweep->map()) {
    if (key == "zip") {
      read_zips(values, axes);
    } else {
      axes.push_back({{read_column(key, values, "sweep")}});
    }
  }
  return axes;
}

// Whether one path is the other or leads to it.
bool overlap(const Path& a, const Path& b) {
  const std::size_t common = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

void check_paths(const std::vector<Axis>& axes) {
  std::vector<const Column*> seen;
  for (const Axis& axis : axes) {
    for (const Column& column : axis.columns) {
      for (const Column* other : seen) {
        if (!overlap(other->parts, column.parts)) continue;
        const bool same = other->path == column.path;
        fail_input("{}: sweep: '{}' is {} '{}', swept at {}. {}", column.origin.text(),
                   printable(column.path),
                   same ? "the same path as" : "swept together with the overlapping path",
                   printable(other->path), other->origin.text(),
                   same ? "Keep one of them." : "Put the values into one list of maps.");
      }
      seen.push_back(&column);
    }
  }
}

// The point at which an axis repeats itself would give runs that are equal in everything.
void check_distinct(const Axis& axis) {
  std::unordered_map<std::string, std::size_t> first_of;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    std::string point;
    for (const Column& column : axis.columns) point += column.values[i].flow() + "\n";
    const auto [first, is_new] = first_of.emplace(point, i);
    if (is_new) continue;
    const Column& column = axis.columns.front();
    fail_input(
        "{}: sweep: {}: elements {} and {} of the list are equal{}, so their runs would be "
        "too. Remove one; for repetitions use 'repeats'.",
        column.values[i].origin().text(), printable(column.path), first->second + 1, i + 1,
        axis.columns.size() > 1 ? " in all zipped lists" : "");
  }
}

// A sweep of the file gives way to an override of the same path; see apply_overrides.
void check_overrides(const Value& config, const Column& column) {
  const Value* present = find_path(config, column.parts);
  const Value* override_value = present == nullptr ? nullptr : find_override(*present);
  if (override_value == nullptr) return;
  const std::string problem =
      fmt::format("{}: would have no effect, because '{}' is swept ({}).",
                  override_value->origin().text(), printable(column.path), column.origin.text());
  if (find_override(column.values.front())) fail_input("{} Give one of the two.", problem);
  const bool in_list = column.place.starts_with("sweep.zip[");
  const std::size_t count = column.values.size();
  const std::string list = in_list ? "'sweep.zip=[...]'"
                                   : fmt::format("'{}=[...]' with {} {}", printable(column.place),
                                                 count, count == 1 ? "value" : "values");
  fail_input("{} Override the whole list, {}; or give one value for all runs, '{}={{...}}'.",
             problem, list, printable(column.path));
}

std::int64_t read_repeats(const Value& experiment, const std::vector<Axis>& axes) {
  Options options(&experiment, "");
  const std::int64_t repeats =
      options.integer("repeats", 1, 1, kMaxRepeats, "", "runs per combination");
  std::size_t runs = static_cast<std::size_t>(repeats);
  for (const Axis& axis : axes) {
    runs *= axis.size();
    if (runs <= kMaxRuns) continue;
    std::vector<std::string> sizes;
    for (const Axis& each : axes) {
      sizes.push_back(fmt::format("{}: {}", printable(each.columns.front().path), each.size()));
    }
    fail_input("{}: sweep: more than {} runs ({}; repeats: {}). Shorten the lists.",
               experiment.find("sweep")->origin().text(), kMaxRuns, join(sizes, ", "), repeats);
  }
  for (const Axis& axis : axes) {
    for (const Column& column : axis.columns) {
      if (column.path != "seed" || repeats == 1) continue;
      fail_input("{}: sweep: seed: is swept, and 'repeats' varies it too. Keep one of the two.",
                 column.origin.text());
    }
  }
  return repeats;
}

void add_repeats(const SweepRun& combination, std::vector<SweepRun>& runs) {
  Options options(&combination.config, "");
  const std::int64_t base =
      options.integer("seed", kDefaultSeed, 0, kMaxSeed, "", "of all random choices");
  const Value* given = combination.config.find("seed");
  const Origin origin = given == nullptr ? Origin{"default", 0} : given->origin();
  for (std::int64_t repeat = 1; repeat <= combination.repeats; ++repeat) {
    SweepRun run = combination;
    run.repeat = repeat;
    run.base_seed = base;
    run.seed = base + repeat - 1;
    set_path(run.config, {"seed"}, Value(run.seed, origin), "seed");
    runs.push_back(std::move(run));
  }
}

}  // namespace

std::vector<SweepRun> expand_sweep(const Value& experiment) {
  const std::vector<Axis> axes = read_axes(experiment);
  check_paths(axes);
  for (const Axis& axis : axes) {
    check_distinct(axis);
    for (const Column& column : axis.columns) check_overrides(experiment, column);
  }
  SweepRun base;
  base.repeats = read_repeats(experiment, axes);
  base.config = experiment;
  if (Map* members = base.config.map()) {
    std::erase_if(*members,
                  [](const auto& m) { return m.first == "sweep" || m.first == "repeats"; });
  }
  std::vector<SweepRun> combinations = {std::move(base)};
  for (const Axis& axis : axes) {
    std::vector<SweepRun> crossed;
    for (const SweepRun& combination : combinations) {
      for (std::size_t i = 0; i < axis.size(); ++i) {
        SweepRun run = combination;
        for (const Column& column : axis.columns) {
          const Value& value = column.values[i];
          set_path(run.config, column.parts, value, value.origin().text() + ": sweep");
          run.varied.push_back({column.path, value, column.slugs[i]});
        }
        crossed.push_back(std::move(run));
      }
    }
    combinations = std::move(crossed);
  }
  std::vector<SweepRun> runs;
  for (const SweepRun& combination : combinations) add_repeats(combination, runs);
  return runs;
}

}  // namespace pslab::config
