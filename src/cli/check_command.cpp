// check: what `run` would do, without doing it.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/parser.hpp"
#include "cli/text_table.hpp"
#include "config/overrides.hpp"
#include "config/yaml.hpp"
#include "run/datasets.hpp"
#include "run/memory.hpp"
#include "run/past_run.hpp"
#include "run/run_process.hpp"

namespace pslab::cli {
namespace {

// Data are loaded to count keys; for a large sweep that would take longer than a look should.
constexpr std::size_t kMostEstimates = 24;

std::string bytes(std::uint64_t count) {
  return human_bytes(static_cast<double>(count));
}

/// One line per run; `largest`: the run that needs most memory, as far as is known.
std::string plan_table(const run::ExperimentPlan& plan, const std::string& root,
                       run::MemoryEstimate& largest) {
  std::vector<std::vector<std::string>> rows = {
      {"run", "configuration", "nodes x workers", "epochs", "keys", "memory"}};
  std::size_t estimated = 0;
  for (const run::PlannedRun& run : plan.runs) {
    const run::RunFacts& facts = run.facts;
    std::vector<std::string> row = {run.id, run.label,
                                    fmt::format("{} x {}", facts.nodes, facts.workers_per_node),
                                    fmt::format("{}", facts.train.epochs)};
    if (estimated < kMostEstimates && run::quick_to_load(run)) {
      ++estimated;
      const run::MemoryEstimate estimate = run::estimate_memory(run, root);
      row.push_back(fmt::format("{}", estimate.keys));
      row.push_back(bytes(estimate.total()));
      if (estimate.total() > largest.total()) largest = estimate;
    } else {
      row.insert(row.end(), {"?", "?"});
    }
    rows.push_back(std::move(row));
  }
  return text_table(rows, {Align::kLeft, Align::kLeft, Align::kRight});
}

std::string memory_text(const run::MemoryEstimate& estimate) {
  if (estimate.keys == 0) {
    return "keys and memory: unknown until the data are read\n";
  }
  return fmt::format(
      "memory of the largest run, about {}: values {}, replicas {}, copies made on access at most "
      "{}, indexes {}, workers {}, data {}; not counted: messages on their way, and about 30 MiB "
      "for the program\n",
      bytes(estimate.total()), bytes(estimate.values), bytes(estimate.replicas),
      bytes(estimate.copies), bytes(estimate.indexes), bytes(estimate.workers),
      bytes(estimate.data));
}

std::string as_comment(const std::string& text) {
  std::string result = "# ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "# ";
  }
  return result;
}

}  // namespace

int check_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app("Checks an experiment as 'run' does before it starts, and shows its runs.",
               "pslab check");
  std::string file;
  std::vector<std::string> overrides;
  bool show_config = false;
  bool show_launch = false;
  app.add_option("FILE", file, "the experiment, a YAML file")->required();
  app.add_option("key=value", overrides, "changes to it, as in cluster.nodes=4");
  app.add_flag("--config", show_config, "also print the resolved config of the first run, as YAML");
  app.add_flag("--launch", show_launch,
               "also print the command that starts the processes of each run, with CONFIG.yaml for "
               "its resolved config");
  if (!parse(app, arguments)) return kSuccess;

  config::Value source = config::load_yaml(file);
  for (const std::string& note : config::apply_overrides(source, overrides)) {
    fmt::print(stderr, "note: {}\n", note);
  }
  const run::ExperimentPlan plan = run::plan_experiment(source, environment.root);
  std::vector<const run::PlannedRun*> runs;
  for (const run::PlannedRun& run : plan.runs) runs.push_back(&run);
  run::check_data_files(runs);
  run::check_origins(runs, environment.root);
  run::check_launches(runs, environment.root);
  run::MemoryEstimate largest;
  const std::string table = plan_table(plan, environment.root, largest);
  const std::string text =
      fmt::format("experiment {}: {}\n{}{}", plan.name, counted(plan.runs.size(), "run"), table,
                  memory_text(largest));
  fmt::print("{}", show_config ? as_comment(text) + plan.runs.front().resolved : text);
  for (const run::PlannedRun& run : plan.runs) {
    if (!show_launch) break;
    const std::string line = run::launch_line(run, environment.root);
    fmt::print("{}: {}\n", run.id, line.empty() ? "runs in one process, without a launcher" : line);
  }
  const std::string warning = run::memory_warning(largest.total(), run::usable_memory());
  if (!warning.empty()) fmt::print(stderr, "{}\n", warning);
  for (const std::string& note : run::launch_notes(runs, environment.root)) {
    if (note.starts_with("warning: ")) fmt::print(stderr, "{}\n", note);
  }
  return kSuccess;
}

}  // namespace pslab::cli
