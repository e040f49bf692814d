#include "run/past_run.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"

namespace pslab::run {

namespace fs = std::filesystem;
using checkpoint::Checkpoint;

namespace {

/// What may differ between a run and the one whose checkpoint it goes on from.
constexpr std::array<std::string_view, 10> kFree = {"experiment", "backend",   "sim",    "real",
                                                    "cluster",    "train",     "checks", "metrics",
                                                    "faults",     "checkpoint"};

/// `members`: whether one that only one of them has is a difference.
void compare(const std::string& path, const config::Value* there, const config::Value* here,
             bool members, std::vector<std::string>& differences) {
  if (!members && (there == nullptr || here == nullptr)) return;
  const bool maps =
      there != nullptr && here != nullptr && there->map() != nullptr && here->map() != nullptr;
  if (!maps) {
    const std::string before = there == nullptr ? "nothing" : there->flow();
    const std::string now = here == nullptr ? "nothing" : here->flow();
    if (before != now)
      differences.push_back(fmt::format("{}: {} there, {} here", path, before, now));
    return;
  }
  const auto member = [&](const std::string& name) {
    return path.empty() ? name : path + "." + name;
  };
  for (const auto& [name, value] : *there->map()) {
    if (path.empty() && std::ranges::find(kFree, name) != kFree.end()) continue;
    compare(member(name), &value, here->find(name), members, differences);
  }
  for (const auto& [name, value] : *here->map()) {
    if (path.empty() && std::ranges::find(kFree, name) != kFree.end()) continue;
    if (there->find(name) == nullptr) compare(member(name), nullptr, &value, members, differences);
  }
}

void refuse(const std::string& from, const std::vector<std::string>& differences) {
  if (differences.empty()) return;
  fail_input(
      "{} was made with another config: {}. What goes on from a checkpoint may differ in these "
      "only: {}. With another config begin anew: pslab run",
      from, join(differences, "; "), join({kFree.begin(), kFree.end()}, ", "));
}

}  // namespace

void check_changes(const std::string& from, const config::Value& config,
                   const config::Value& changed) {
  std::vector<std::string> differences;
  compare("", &config, &changed, false, differences);
  refuse(from, differences);
}

std::shared_ptr<const Checkpoint> newest_checkpoint(
    const fs::path& run_folder, const std::function<void(const std::string&)>& warn) {
  const checkpoint::Folder folder(run_folder / checkpoint::kFolderName);
  std::vector<int> epochs = folder.epochs();
  std::ranges::reverse(epochs);
  for (const int epoch : epochs) {
    try {
      return std::make_shared<const Checkpoint>(folder.of_epoch(epoch));
    } catch (const InputError& error) {
      warn(fmt::format("warning: {}", error.what()));
    }
  }
  return nullptr;
}

std::shared_ptr<const Checkpoint> find_checkpoint(
    const fs::path& path, const std::function<void(const std::string&)>& warn) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    fail_input("{}: no such folder; give the folder of a run, or of one of its checkpoints",
               path.string());
  }
  if (fs::exists(path / "checkpoint.json", error) ||
      path.parent_path().filename() == checkpoint::kFolderName) {
    return std::make_shared<const Checkpoint>(path);
  }
  std::vector<std::string> damage;
  auto found = newest_checkpoint(path, [&](const std::string& text) { damage.push_back(text); });
  if (found != nullptr) {
    for (const std::string& text : damage) warn(text);
    return found;
  }
  if (!damage.empty()) {
    fail_input("{}: none of the checkpoints of this run is whole:\n{}", path.string(),
               join(damage, "\n"));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (!fs::exists(entry.path() / checkpoint::kFolderName, error)) continue;
    fail_input("{}: not the folder of a run; give one of the runs in it, for instance {}",
               path.string(), entry.path().string());
  }
  fail_input("{}: this run has no checkpoint. It writes some with checkpoint.every: N",
             path.string());
}

std::shared_ptr<const Checkpoint> checkpoint_of_another_run(
    const Experiment& experiment, const std::function<void(const std::string&)>& warn) {
  auto found = find_checkpoint(experiment.checkpoint.from, warn);
  const config::Value there = config::parse_yaml(found->head().config, experiment.checkpoint.from);
  std::vector<std::string> differences;
  compare("", &there, &experiment.resolved(), true, differences);
  refuse("checkpoint.from: " + experiment.checkpoint.from, differences);
  if (found->head().epoch >= experiment.train.epochs) {
    fail_input(
        "checkpoint.from: {} has trained {} already, and train.epochs is {}: set train.epochs to "
        "more",
        experiment.checkpoint.from,
        counted(static_cast<std::uint64_t>(found->head().epoch), "epoch"), experiment.train.epochs);
  }
  return found;
}

void check_origins(const std::vector<const PlannedRun*>& runs, const std::string& root) {
  std::vector<std::string> problems;
  for (const PlannedRun* run : runs) {
    const Experiment experiment(run->sweep.config, root);
    if (experiment.checkpoint.from.empty()) continue;
    try {
      checkpoint_of_another_run(experiment, [](const std::string& /*run says it*/) {});
    } catch (const InputError& error) {
      if (std::ranges::find(problems, error.what()) == problems.end()) {
        problems.emplace_back(error.what());
      }
    }
  }
  if (!problems.empty()) throw InputError(join(problems, "\n"));
}

}  // namespace pslab::run
