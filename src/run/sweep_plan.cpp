#include "run/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/registry.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"
#include "graph/platform.hpp"

namespace pslab::run {
namespace {

constexpr std::size_t kMaxName = 100;
constexpr std::size_t kMaxId = 200;  // file systems take 255 bytes

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void check_name(const std::string& name, const config::Value& source) {
  const auto allowed = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
  };
  const bool right = !name.empty() && name.size() <= kMaxName && is_alphanumeric(name[0]) &&
                     std::all_of(name.begin(), name.end(), allowed);
  if (right) return;
  const config::Value* given = source.find("experiment");
  fail_input(
      "{}: experiment: '{}' cannot be the name of a folder; allowed are letters, digits, '.', '_' "
      "and '-', at most {}, the first a letter or digit",
      given == nullptr ? "config" : given->origin().text(), printable(name), kMaxName);
}

// Options would only say that the name is none of those allowed.
void check_backend(const config::Value& config) {
  const config::Value* given = config.find("backend");
  if (given == nullptr || given->text() == nullptr) return;
  for (const MissingBackend& missing : missing_backends()) {
    if (missing.name != *given->text()) continue;
    fail_input("{}: backend: '{}' is not part of this build, which has: {}. {}",
               given->origin().text(), missing.name,
               join(Registry<Backend>::instance().names(), ", "), missing.advice);
  }
}

class PlatformChecks {
 public:
  explicit PlatformChecks(const std::string& root) : root_(root) {}

  void check(const config::Value& config, const ClusterSpec& cluster) {
    if (!known_.insert({cluster.platform, cluster.nodes}).second) return;
    try {
      graph::Platform::load(cluster.platform, cluster.nodes, root_);
    } catch (const InputError& error) {
      const config::Value* group = config.find("cluster");
      const config::Value* given = group == nullptr ? nullptr : group->find("platform");
      if (given == nullptr) throw;
      fail_input("{}: cluster.platform: {}", given->origin().text(), error.what());
    }
  }

 private:
  const std::string& root_;
  std::set<std::pair<std::string, NodeId>> known_;
};

std::string make_id(const config::SweepRun& run, const std::string& config_hash) {
  std::vector<std::string> parts;
  bool seed_shown = false;
  for (const config::Varied& varied : run.varied) {
    parts.push_back(varied.slug);
    seed_shown |= varied.path == "seed";
  }
  // So that the same experiment with another seed does not claim the same folder.
  if (!seed_shown && run.base_seed != config::kDefaultSeed) {
    parts.push_back(fmt::format("seed-{}", run.base_seed));
  }
  if (run.repeats > 1) parts.push_back(fmt::format("r{}", run.repeat));
  if (parts.empty()) parts.push_back("run");
  std::string id = join(parts, "_");
  if (id.size() > kMaxId) id = fmt::format("{}-{:016x}", id.substr(0, kMaxId), fnv1a(id));
  return id + "-" + config_hash.substr(0, 8);
}

PlannedRun plan_run(config::SweepRun sweep, const std::string& root, PlatformChecks& platforms) {
  check_backend(sweep.config);
  const Experiment experiment(sweep.config, root);
  platforms.check(sweep.config, experiment.cluster);
  PlannedRun run;
  run.facts.experiment = experiment.name;
  run.facts.backend = experiment.backend_name;
  run.facts.platform = experiment.cluster.platform;
  run.facts.workload = experiment.workload_name;
  run.facts.strategy = experiment.strategy_name;
  run.facts.scheme = experiment.scheme_name;
  run.facts.config_hash = fmt::format("{:016x}", experiment.config_hash());
  run.facts.nodes = experiment.cluster.nodes;
  run.facts.workers_per_node = experiment.cluster.workers_per_node;
  run.facts.seed = sweep.seed;
  run.facts.repeat = sweep.repeat;
  run.facts.train = experiment.train;
  run.facts.record_trace = experiment.metrics.record_trace;
  run.id = make_id(sweep, run.facts.config_hash);
  run.resolved = config::dump_yaml(experiment.resolved());
  run.sweep = std::move(sweep);
  run.configuration = configuration_label(run, true);
  run.label = run.configuration;
  if (run.sweep.repeats > 1) run.label += fmt::format(", repeat {}", run.sweep.repeat);
  return run;
}

void check_distinct(const std::vector<PlannedRun>& runs) {
  std::map<std::string, const PlannedRun*> by_id;
  std::map<std::string, const PlannedRun*> by_config;
  for (const PlannedRun& run : runs) {
    const auto [config, is_new] = by_config.emplace(run.resolved, &run);
    if (!is_new) {
      fail_input(
          "sweep: the runs '{}' and '{}' are the same once defaults are filled in. Remove one of "
          "them; for repetitions use 'repeats'.",
          config->second->label, run.label);
    }
    const auto [folder, is_free] = by_id.emplace(run.id, &run);
    if (!is_free) {
      fail_input("sweep: the runs '{}' and '{}' would share the folder {}. Rename a swept value.",
                 folder->second->label, run.label, run.id);
    }
  }
}

}  // namespace

std::string configuration_label(const PlannedRun& run, bool with_size) {
  std::vector<std::string> parts;
  for (const config::Varied& varied : run.sweep.varied) {
    const bool is_size =
        varied.path == "cluster.nodes" || varied.path == "cluster.workers_per_node";
    if (is_size && !with_size) continue;
    const std::string last = varied.path.substr(varied.path.rfind('.') + 1);
    const bool speaks_for_itself = varied.path == "strategy" || last == "name" ||
                                   last == "platform" || last == "schedule" || last == "network" ||
                                   varied.value.find("name") != nullptr;
    const std::string text = value_text(varied.value);
    parts.push_back(speaks_for_itself ? text : last + " " + text);
  }
  return parts.empty() ? run.facts.strategy : join(parts, ", ");
}

std::string value_text(const config::Value& value) {
  const config::Value* name = value.find("name");
  if (name == nullptr || name->text() == nullptr) {
    return value.text() == nullptr ? value.flow() : *value.text();
  }
  std::vector<std::string> options;
  for (const auto& [key, member] : *value.map()) {
    if (key != "name") options.push_back(key + " " + value_text(member));
  }
  return options.empty() ? *name->text()
                         : fmt::format("{} ({})", *name->text(), join(options, ", "));
}

std::vector<MissingBackend> missing_backends() {
  const std::vector<MissingBackend> all = {
      {"sim",
       "It needs SimGrid (Debian: libsimgrid-dev) when pslab is configured, and PSLAB_SIM=ON."},
      {"real",
       "It needs Open MPI (Debian: libopenmpi-dev) when pslab is configured, and PSLAB_REAL=ON."}};
  const std::vector<std::string> built_in = Registry<Backend>::instance().names();
  std::vector<MissingBackend> missing;
  for (const MissingBackend& backend : all) {
    if (std::find(built_in.begin(), built_in.end(), backend.name) == built_in.end()) {
      missing.push_back(backend);
    }
  }
  return missing;
}

ExperimentPlan plan_experiment(const config::Value& source, const std::string& root) {
  ExperimentPlan plan;
  plan.source = source;
  PlatformChecks platforms(root);
  for (config::SweepRun& sweep : config::expand_sweep(source)) {
    plan.runs.push_back(plan_run(std::move(sweep), root, platforms));
  }
  const PlannedRun& first = plan.runs.front();
  plan.name = first.facts.experiment;
  check_name(plan.name, source);
  for (const config::Varied& varied : first.sweep.varied) plan.swept.push_back(varied.path);
  check_distinct(plan.runs);
  return plan;
}

}  // namespace pslab::run
