// export: the model that a run has trained, from its newest checkpoint.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/origin.hpp"
#include "cli/parser.hpp"
#include "config/yaml.hpp"
#include "run/datasets.hpp"
#include "run/experiment.hpp"
#include "run/past_run.hpp"
#include "run/result_folder.hpp"

namespace pslab::cli {
namespace {

namespace fs = std::filesystem;

std::string chosen_format(const Workload& workload, const std::string& name,
                          const std::string& given) {
  const std::vector<std::string> formats = workload.model_formats();
  if (formats.empty()) fail_input("workload '{}' has no model to export", name);
  if (given.empty()) return formats.front();
  if (std::ranges::find(formats, given) != formats.end()) return given;
  fail_input("--format: '{}' is none of workload '{}'.{} It has: {}", printable(given), name,
             did_you_mean(given, formats), join(formats, ", "));
}

/// Loads the data, too: it knows the names of what the keys stand for.
void load(run::Experiment& experiment, const std::string& root,
          const checkpoint::Checkpoint& checkpoint) {
  const ClusterSpec& cluster = experiment.cluster;
  experiment.workload->load({cluster.seed, cluster.nodes, cluster.workers_per_node, root,
                             [](const auto&) {}, experiment.train.epochs});
  run::check_data_unchanged(experiment.resolved(), checkpoint.head());
  if (experiment.workload->keys().groups() != checkpoint.head().groups) {
    fail_input("the data that the run was trained on have changed since: they have other keys now");
  }
}

}  // namespace

int export_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app("Writes the trained model of a run to files, from its newest checkpoint.",
               "pslab export");
  std::string given;
  std::string format;
  std::string out;
  app.add_option("RUN", given, "folder of a run with checkpoints, or of one of these")->required();
  app.add_option("--format", format, "of the files (default: the workload's first)");
  app.add_option("--out", out, "folder for the files (default: RUN/model)");
  if (!parse(app, arguments)) return kSuccess;

  const fs::path path = fs::absolute(given).lexically_normal();
  const fs::path folder = fs::absolute(out.empty() ? path / "model" : fs::path(out));
  const auto checkpoint = run::find_checkpoint(path);
  enter_working_directory(experiment_folder(path));
  const std::string& config = checkpoint->head().config;
  run::Experiment experiment(config::parse_yaml(config, path.string()), environment.root);
  const std::string chosen = chosen_format(*experiment.workload, experiment.workload_name, format);
  load(experiment, environment.root, *checkpoint);
  run::make_folder(folder);
  const auto read = [&](Key key, std::span<float> value) { checkpoint->read(key, value); };
  fmt::print("model after epoch {}, as {}:\n", checkpoint->head().epoch, chosen);
  for (const std::string& file : experiment.workload->write_model(chosen, folder, read)) {
    fmt::print("  {}\n", (folder / file).string());
  }
  return kSuccess;
}

}  // namespace pslab::cli
