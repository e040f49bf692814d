#include "run/datasets.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "config/path.hpp"
#include "config/yaml.hpp"
#include "data/catalog.hpp"
#include "data/fetch.hpp"
#include "run/experiment.hpp"
#include "run/training.hpp"

namespace pslab::run {
namespace {

constexpr std::uint64_t kQuickFile = 32 << 20;
constexpr std::int64_t kQuickCells = 3'000'000;
constexpr std::uint64_t kStackBytes = 256 << 10;

/// The value of an option of the run's data set as text; "" if there is no such option.
std::string dataset_option(const config::Value& resolved, const std::string& option) {
  const config::Value* value = config::find_path(resolved, {"workload", "dataset", option});
  return value == nullptr || value->text() == nullptr ? "" : *value->text();
}

bool small_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error || size <= kQuickFile;  // loading a missing one is quick
}

}  // namespace

void fetch_datasets(const ExperimentPlan& plan, const std::string& root,
                    const std::function<void(const std::string&)>& say) {
  std::set<std::string> names;
  for (const PlannedRun& run : plan.runs) {
    const config::Value resolved = config::parse_yaml(run.resolved, run.id);
    const std::string name = dataset_option(resolved, "name");
    if (!data::is_dataset(name) || !names.insert(name).second) continue;
    data::fetch(data::find_dataset(name), root, say);
  }
}

bool quick_to_load(const PlannedRun& run) {
  const config::Value resolved = config::parse_yaml(run.resolved, run.id);
  const std::string name = dataset_option(resolved, "name");
  if (data::is_dataset(name)) return data::dataset_flaw(data::find_dataset(name)).empty();
  if (const std::string train = dataset_option(resolved, "train"); !train.empty()) {
    return small_file(train) && small_file(dataset_option(resolved, "test"));
  }
  const config::Value* cells = config::find_path(resolved, {"workload", "dataset", "cells"});
  return cells == nullptr || cells->integer() == nullptr || *cells->integer() <= kQuickCells;
}

MemoryEstimate estimate_memory(const PlannedRun& run, const std::string& root) {
  Experiment experiment(run.sweep.config, root);
  const ClusterSpec& cluster = experiment.cluster;
  experiment.workload->load({cluster.seed, cluster.nodes, cluster.workers_per_node, root, {}});
  const KeySpace keys = experiment.workload->keys();
  const Training training(experiment, {});
  const Plan& plan = training.plan();
  const std::uint64_t nodes = cluster.nodes;
  MemoryEstimate estimate;
  estimate.keys = keys.size();
  estimate.values = keys.total_floats() * sizeof(float);
  for (const Key key : plan.replicated) {
    estimate.replicas += nodes * 2 * keys.length(key) * sizeof(float);
  }
  // Node indexes: dense ones (4 bytes a key) stay within a quarter of the values, tables take up to
  // 16 bytes for each key that a node holds. Home directories: 2 bytes a key.
  const std::uint64_t held = keys.size() + nodes * plan.replicated.size();
  const std::uint64_t dense = nodes * keys.size() * 4;
  estimate.indexes = (dense <= keys.total_floats() ? dense : held * 16) + keys.size() * 2;
  if (plan.location_caches) estimate.indexes += nodes * keys.size() * 2;
  estimate.workers = nodes * cluster.workers_per_node * kStackBytes;
  estimate.data = experiment.workload->data_bytes();
  return estimate;
}

}  // namespace pslab::run
