// export: the model that a run has trained, from its newest checkpoint.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "api/registry.hpp"
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

/// A folder for files on their way to another one, of which nothing is left in the end.
class PartFolder {
 public:
  explicit PartFolder(const fs::path& folder)
      : folder_(folder), part_(folder / ".part"), is_new_(!fs::exists(folder)) {
    run::make_folder(folder);
    fs::remove_all(part_);  // of an export that was killed
    fs::create_directory(part_);
  }
  ~PartFolder() {
    std::error_code ignored;
    fs::remove_all(part_, ignored);
    if (is_new_) fs::remove(folder_, ignored);  // if it is empty
  }
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;

  const fs::path& path() const { return part_; }

 private:
  fs::path folder_;
  fs::path part_;
  bool is_new_;
};

/// All files of the model appear in `folder`, or none.
std::vector<std::string> write_model(const Workload& workload, const std::string& format,
                                     const fs::path& folder, const ReadValue& read) {
  try {
    const PartFolder part(folder);
    std::vector<std::string> files = workload.write_model(format, part.path(), read);
    for (const std::string& file : files) fs::rename(part.path() / file, folder / file);
    return files;
  } catch (const std::runtime_error& error) {
    fail_run("no model was written: {}", error.what());
  }
}

/// Of every workload, a line each.
std::string formats_of_all() {
  std::string text = "Formats, the default first:";
  for (const std::string& name : Registry<Workload>::instance().names()) {
    config::Options options(nullptr, "workload", config::Mode::kDescribe);
    const auto workload = Registry<Workload>::instance().find(name, "workload", "").make(options);
    const std::vector<std::string> formats = workload->model_formats();
    text += fmt::format("\n  {:<21} {}", name, formats.empty() ? "none" : join(formats, ", "));
  }
  return text;
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
  app.footer(formats_of_all());
  if (!parse(app, arguments)) return kSuccess;

  const fs::path path = fs::absolute(given).lexically_normal();
  const fs::path folder = fs::absolute(out.empty() ? path / "model" : fs::path(out));
  const auto checkpoint = run::find_checkpoint(
      path, [](const std::string& warning) { fmt::print(stderr, "{}\n", warning); });
  enter_working_directory(experiment_folder(path));
  const std::string& config = checkpoint->head().config;
  run::Experiment experiment(config::parse_yaml(config, path.string()), environment.root);
  const std::string chosen = chosen_format(*experiment.workload, experiment.workload_name, format);
  load(experiment, environment.root, *checkpoint);
  const auto read = [&](Key key, std::span<float> value) { checkpoint->read(key, value); };
  const auto files = write_model(*experiment.workload, chosen, folder, read);
  fmt::print("model after epoch {}, as {}:\n", checkpoint->head().epoch, chosen);
  for (const std::string& file : files) fmt::print("  {}\n", (folder / file).string());
  return kSuccess;
}

}  // namespace pslab::cli
