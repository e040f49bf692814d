#include "tests/conformance/history_run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <sstream>
#include <vector>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "config/overrides.hpp"
#include "config/yaml.hpp"
#include "run/training.hpp"

namespace pslab::test {

namespace {

/// A training whose nodes receive and send through the mutant.
class Mutated final : public Program {
 public:
  Mutated(run::Training& training, const Mutant& mutant) : training_(training), mutant_(mutant) {}

  Receiver& start_node(NodeRuntime& runtime) override {
    NodeRuntime* used = &runtime;
    if (mutant_.wrap_runtime) {
      runtimes_.push_back(mutant_.wrap_runtime(runtime));
      used = runtimes_.back().get();
    }
    Receiver& node = training_.start_node(*used);
    if (!mutant_.wrap_receiver) return node;
    receivers_.push_back(mutant_.wrap_receiver(node, runtime.node(), training_));
    return *receivers_.back();
  }
  void run_worker(NodeId node, std::uint32_t local_index) override {
    training_.run_worker(node, local_index);
  }
  std::string waiting_text() const override { return training_.waiting_text(); }

 private:
  run::Training& training_;
  const Mutant& mutant_;
  std::vector<std::unique_ptr<NodeRuntime>> runtimes_;
  std::vector<std::unique_ptr<Receiver>> receivers_;
};

bool keeps_replica_sums(const std::string& strategy, const std::string& options) {
  const config::Value given = config::parse_yaml(options, "history run");
  config::Options read(&given, "strategy");
  return Registry<Strategy>::instance()
      .find(strategy, "strategy", "test")
      .make(read)
      ->guarantees()
      .keeps_replica_sums;
}

}  // namespace

std::string random_history(const std::string& strategy, const std::string& options,
                           std::uint64_t seed, const std::string& overrides) {
  const RandomRun random = random_run(strategy, options, seed);
  std::string config = fmt::format(
      "workload: {{name: random_accesses, check_sum: {}}}\n"
      "train: {{epochs: 3}}\n"
      "seed: {}\n"
      "cluster: {{nodes: {}, workers_per_node: {}, platform: {}}}\n"
      "strategy: {{name: {}{}{}}}\n"
      "sim: {{network: {}, quantum: {}, stall_limit: 5}}\n"
      "real: {{stall_limit: 5}}\n"
      "checks: {{history: true}}\n",
      keeps_replica_sums(strategy, options), seed, random.cluster.nodes,
      random.cluster.workers_per_node, random.cluster.platform, strategy,
      options == "{}" ? "" : ", ", options.substr(1, options.size() - 2), random.network,
      random.quantum);
  const Faults& faults = random.cluster.faults;
  config += fmt::format("faults:\n  message_delay: {{probability: {}, max: {}}}\n",
                        faults.delay_probability, faults.delay_max);
  for (const Faults::SlowNode& slow : faults.slow_nodes) {
    config += fmt::format("  slow_nodes: [{{node: {}, slowdown: {}}}]\n", slow.node, slow.slowdown);
  }
  if (overrides.empty()) return config;
  std::vector<std::string> list;
  std::istringstream in(overrides);
  for (std::string part; std::getline(in, part, ';');) list.push_back(part);
  config::Value value = config::parse_yaml(config, "history run");
  config::apply_overrides(value, list);
  return config::dump_yaml(value);
}

std::string perform_history(const std::string& config, const Mutant& mutant) {
  try {
    run::Experiment experiment(config::parse_yaml(config, "history run"), PSLAB_SOURCE_DIR);
    const ClusterSpec& cluster = experiment.cluster;
    const NodeId node = experiment.backend->join(cluster);
    experiment.workload->load({cluster.seed, cluster.nodes, cluster.workers_per_node,
                               PSLAB_SOURCE_DIR, [](const std::string&) {},
                               experiment.train.epochs});
    checks::Checked checked;
    run::Training training(
        experiment, [&](const run::EpochRecord& epoch) { checked += epoch.checked.value(); });
    Mutated program(training, mutant);
    const std::atomic<bool> stop{false};
    experiment.backend->execute(cluster, program, stop);
    if (node != 0) return "ok";
    return fmt::format("ok: {} pulls, {} pushes checked, {} not", checked.pulls, checked.pushes,
                       checked.dropped);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace pslab::test
