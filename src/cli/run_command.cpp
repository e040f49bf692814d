// run and resume.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/analysis.hpp"
#include "cli/command.hpp"
#include "cli/comparison.hpp"
#include "cli/origin.hpp"
#include "cli/parser.hpp"
#include "cli/progress.hpp"
#include "config/overrides.hpp"
#include "config/path.hpp"
#include "config/yaml.hpp"
#include "run/datasets.hpp"
#include "run/environment.hpp"
#include "run/executor.hpp"
#include "run/past_run.hpp"
#include "run/result_folder.hpp"

namespace pslab::cli {
namespace {

namespace fs = std::filesystem;

struct RunFlags {
  int jobs = 1;
  double timeout = 0.0;
  double progress = 10.0;
  bool force = false;
  bool quiet = false;
  bool json = false;
  bool no_figures = false;
};

void add_flags(CLI::App& app, RunFlags& flags) {
  app.add_flag("--force", flags.force, "run finished runs again");
  app.add_option("-j,--jobs", flags.jobs, "runs at once, each in a process of its own (default 1)")
      ->check(integer_between(1, 1024));
  app.add_option("--timeout", flags.timeout,
                 "wall seconds after which a run is killed and failed (default: none)")
      ->check(positive_seconds());
  app.add_option(
         "--progress", flags.progress,
         "seconds between lines about the progress, where it is not a terminal (default 10)")
      ->check(positive_seconds());
  app.add_flag("--quiet", flags.quiet,
               "say only what went wrong or may be wrong, and show the results");
  app.add_flag("--json", flags.json,
               "on standard output a JSON list of summaries, and nothing else");
  app.add_flag("--no-figures", flags.no_figures, "draw no figures");
}

void print_json(const run::ExperimentPlan& plan, const run::Execution& execution) {
  run::Json list = run::Json::array();
  for (const auto& [index, result] : execution.results) {
    list.push_back(run::summary(plan.runs[index], result));
  }
  fmt::print("{}\n", run::to_text(list, 2));
}

void draw(const Environment& environment, const RunFlags& flags, const fs::path& folder) {
  const Figures figures = draw_figures(environment.root, folder);
  if (!figures.drawn) {
    fmt::print(stderr, "warning: no figures were drawn: {}\n",
               figures.output.empty() ? "no reason given" : figures.output.back());
    return;
  }
  if (flags.json) return;
  const auto pictures =
      std::count_if(figures.output.begin(), figures.output.end(),
                    [](const std::string& line) { return line.ends_with(".png"); });
  fmt::print("figures:  {} ({}, as .png and .pdf)\n", (folder / "figures").string(), pictures);
}

int report(const Environment& environment, const RunFlags& flags, const fs::path& folder,
           const run::ExperimentPlan& plan, const run::Execution& execution) {
  const auto& results = execution.results;
  const auto succeeded =
      static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [](const auto& entry) {
        return entry.second.status == run::Status::kSucceeded;
      }));
  const bool any_epoch = std::any_of(results.begin(), results.end(), [](const auto& entry) {
    return entry.second.status == run::Status::kSucceeded && !entry.second.epochs.empty();
  });
  if (flags.json) {
    print_json(plan, execution);
  } else if (!results.empty()) {
    fmt::print("\n{}\ntable:    {}\n", comparison(plan, execution),
               (folder / "table.csv").string());
  }
  std::fflush(stdout);
  if (execution.interrupted) {
    fmt::print(stderr, "interrupted: {} of {} succeeded, {} to do. Go on with: {} resume {}\n",
               succeeded, counted(plan.runs.size(), "run"), plan.runs.size() - succeeded,
               shell_quoted(environment.program), shell_quoted(folder.string()));
    return kInterrupted;
  }
  if (any_epoch && !flags.no_figures) draw(environment, flags, folder);
  return succeeded == results.size() ? kSuccess : kRunFailed;
}

/// Says what remains when it cannot go on.
run::Execution execute(const Environment& environment, const run::ExperimentPlan& plan,
                       const run::ExecutionOptions& options, Progress& progress) {
  try {
    return run::execute(plan, options, progress);
  } catch (const RunError& error) {
    std::error_code ignored;
    if (!fs::exists(options.folder / "origin.json", ignored)) throw;
    fail_run("{}. What was written before is kept; go on, when this is solved, with: {} resume {}",
             error.what(), shell_quoted(environment.program),
             shell_quoted(options.folder.string()));
  }
}

/// `folder`: of the experiment; without it, a folder of its name in `out`.
int run_experiment(const Environment& environment, const RunFlags& flags,
                   const config::Value& source, const fs::path& out,
                   const std::optional<fs::path>& folder) {
  const run::ExperimentPlan plan = run::plan_experiment(source, environment.root);
  const auto say = [&flags](const std::string& text) {
    if (!flags.quiet) fmt::print(stderr, "{}\n", text);
  };
  if (const std::string slow = run::slow_build(); !slow.empty()) {
    fmt::print(stderr, "warning: this is {}; it takes much longer than a release build\n", slow);
  }
  run::fetch_datasets(plan, environment.root, say);

  run::ExecutionOptions options;
  options.folder = folder ? *folder : out / plan.name;
  options.root = environment.root;
  options.command_line = environment.command_line;
  options.jobs = flags.jobs;
  options.timeout = flags.timeout;
  options.force = flags.force;
  Progress progress(plan, {flags.quiet, ::isatty(STDERR_FILENO) == 1, flags.progress});
  options.tick = progress.tick_interval();
  say(fmt::format("experiment {}: {}, results in {}", plan.name, counted(plan.runs.size(), "run"),
                  options.folder.string()));
  const run::Execution execution = execute(environment, plan, options, progress);
  return report(environment, flags, options.folder, plan, execution);
}

/// The value that the command line gave; null: none.
const config::Value* given_value(const config::Value& config, const config::Path& option) {
  const config::Value* value = config::find_path(config, option);
  return value != nullptr && config::find_override(*value) != nullptr ? value : nullptr;
}

/// The config of the run in this folder with `overrides`, to go on from its newest checkpoint.
/// `beside`: the new experiment's folder is to be beside the old one's.
config::Value changed_run(const fs::path& run_folder, const std::vector<std::string>& overrides,
                          bool beside) {
  const fs::path path = fs::absolute(run_folder).lexically_normal();
  const auto text = run::read_file(path / "config.yaml");
  if (!text) {
    fail_input("{}: there is no config.yaml in it; to go on with changes, give the folder of a run",
               run_folder.string());
  }
  const config::Value before = config::parse_yaml(*text, (path / "config.yaml").string());
  config::Value source = before;
  config::apply_overrides(source, overrides);
  run::check_changes(path.string(), before, source);
  const auto set = [&](const config::Path& option, const std::string& value) {
    config::set_path(source, option, config::Value(value), path.string());
  };
  if (given_value(source, {"checkpoint", "from"}) != nullptr) {
    fail_input("checkpoint.from: 'pslab resume' goes on from the run that it is given, {}",
               run_folder.string());
  }
  set({"checkpoint", "from"}, path.string());
  const config::Value name = *before.find("experiment");
  const config::Value* new_name = given_value(source, {"experiment"});
  if (new_name == nullptr) {
    set({"experiment"}, *name.text() + "_resumed");
  } else if (beside && *new_name == name) {
    fail_input(
        "experiment: '{}' is the experiment that this would go on from, and its table would be "
        "lost. Give another name, or another place with --out DIR",
        *name.text());
  }
  return source;
}

}  // namespace

int run_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app("Runs an experiment: all runs of its sweep. Finished runs are not run again.",
               "pslab run");
  std::string file;
  std::vector<std::string> overrides;
  std::string out = "results";
  RunFlags flags;
  app.add_option("FILE", file, "the experiment, a YAML file")->required();
  app.add_option("key=value", overrides, "changes to it, as in cluster.nodes=4");
  app.add_option("--out", out, "where to put the experiment's folder (default: results)");
  add_flags(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  config::Value source = config::load_yaml(file);
  for (const std::string& note : config::apply_overrides(source, overrides)) {
    if (!flags.quiet) fmt::print(stderr, "note: {}\n", note);
  }
  return run_experiment(environment, flags, source, out, std::nullopt);
}

int resume_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app(
      "Goes on with an interrupted experiment: runs what has not succeeded yet, from its newest "
      "checkpoints where there are any. With changes, as in cluster.nodes=4: goes on from one "
      "run's newest checkpoint in a new experiment, NAME_resumed unless experiment=... names it.",
      "pslab resume");
  std::string given;
  std::vector<std::string> overrides;
  std::string out;
  RunFlags flags;
  app.add_option("DIR", given, "folder of the experiment, or of one of its runs")->required();
  app.add_option("key=value", overrides,
                 "changes: to the cluster, and to how and how long it trains, but not to the task");
  app.add_option(
      "--out", out,
      "with changes: where to put the new experiment's folder (default: beside the old)");
  add_flags(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  const fs::path folder = experiment_folder(given);
  if (overrides.empty()) {
    if (!out.empty()) fail_input("--out: needs changes beside it, as in cluster.nodes=4");
    const config::Value source = config::load_yaml(folder / "experiment.yaml");
    enter_working_directory(folder);
    return run_experiment(environment, flags, source, {}, folder);
  }
  const config::Value source = changed_run(given, overrides, out.empty());
  const fs::path place = out.empty() ? folder.parent_path() : fs::absolute(out);
  enter_working_directory(folder);
  return run_experiment(environment, flags, source, place, std::nullopt);
}

}  // namespace pslab::cli
