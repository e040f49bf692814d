#include "tests/golden/small_run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <sstream>
#include <stdexcept>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "config/overrides.hpp"
#include "config/yaml.hpp"
#include "run/training.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {

namespace {

const char* const kBase = R"(
cluster: {nodes: 4, workers_per_node: 2}
workload:
  name: matrix_factorization
  rank: 8
  dataset: {generator: zipf_matrix, rows: 300, cols: 60, cells: 3000, zipf: 1.1, seed: 1, test_share: 0.1}
train: {epochs: 2}
)";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ';');) parts.push_back(part);
  return parts;
}

}  // namespace

std::unique_ptr<run::Experiment> small_experiment(const std::string& overrides) {
  config::Value config = config::parse_yaml(kBase, "small run");
  config::apply_overrides(config, split(overrides));
  auto experiment = std::make_unique<run::Experiment>(config, PSLAB_SOURCE_DIR);
  experiment->workload->load({experiment->cluster.seed, experiment->cluster.nodes,
                              experiment->cluster.workers_per_node, PSLAB_SOURCE_DIR,
                              [](const std::string&) {}, experiment->train.epochs});
  return experiment;
}

std::vector<std::string> every_strategy() {
  std::vector<std::string> all = {"strategy={name: hybrid, hot_factor: 3, sync_rate: 5000}"};
  for (const std::string& name : Registry<Strategy>::instance().names()) {
    all.push_back("strategy.name=" + name);
  }
  return all;
}

std::string totals(const std::vector<run::EpochRecord>& epochs) {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t relocations = 0;
  std::uint64_t rounds = 0;
  std::uint64_t accesses = 0;
  std::uint64_t local = 0;
  for (const run::EpochRecord& epoch : epochs) {
    for (const run::NodeRecord& node : epoch.nodes) {
      for (const std::uint64_t count : node.messages) messages += count;
      for (const std::uint64_t count : node.bytes) bytes += count;
      relocations += node.relocations;
    }
    rounds += epoch.nodes[0].sync_rounds;
    for (const run::WorkerRecord& worker : epoch.workers) {
      accesses += worker.accesses;
      local += worker.local_accesses;
    }
  }
  std::string text =
      fmt::format("time {} messages {} bytes {} relocations {} rounds {} accesses {} local {}",
                  epochs.back().time_s, messages, bytes, relocations, rounds, accesses, local);
  for (const Metric& metric : epochs.back().metrics) {
    text += fmt::format(" {} {}", metric.name,
                        metric.value ? fmt::format("{}", *metric.value) : "undefined");
  }
  return text;
}

std::string run_small(const std::string& overrides, const Describe& describe) {
  const ChildResult result = run_in_child([&] {
    const auto experiment = small_experiment(overrides);
    std::vector<run::EpochRecord> epochs;
    run::Training training(*experiment,
                           [&](const run::EpochRecord& epoch) { epochs.push_back(epoch); });
    const std::atomic<bool> stop{false};
    experiment->backend->execute(experiment->cluster, training, stop);
    return describe(epochs);
  });
  return result.text;
}

double number(const std::string& text, const std::string& name) {
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (word == name && in >> word) return std::stod(word);
  }
  throw std::runtime_error(fmt::format("no {} in: {}", name, text));
}

double time_of(const std::string& overrides) {
  return number(run_small(overrides), "time");
}

}  // namespace pslab::test
