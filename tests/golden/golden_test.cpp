// Exact results of small simulated runs: every strategy with both network models on some clusters,
// and the further options that change what is sent. To accept an intended change: README.md.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/golden/small_run.hpp"

namespace pslab::test {
namespace {

std::vector<std::string> runs() {
  std::vector<std::string> all;
  for (const std::string cluster :
       {"cluster={nodes: 1, workers_per_node: 2}", "cluster={nodes: 4, workers_per_node: 2}",
        "cluster={nodes: 5, workers_per_node: 1, platform: two-racks}"}) {
    for (const std::string strategy : {"{name: static}", "{name: relocation}",
                                       "{name: hybrid, hot_factor: 3, sync_rate: 5000}"}) {
      for (const std::string network : {"flow", "alpha_beta"}) {
        all.push_back(fmt::format("{};strategy={};sim.network={}", cluster, strategy, network));
      }
    }
  }
  const std::string delays = "faults.message_delay={probability: 0.2, max: 1e-3}";
  all.insert(all.end(),
             {"strategy={name: static, placement: range, fast_local_access: false}",
              "strategy={name: relocation, location_caches: true, placement: range}",
              "strategy={name: hybrid, replicated_keys: 20, sync_rate: 0}",
              "strategy={name: full_replication, sync_rate: 50000}",
              "strategy={name: full_replication, sync_rate: 50000, sync_method: tree, clip: 1}",
              "strategy={name: hybrid, hot_factor: 3, sync_rate: 5000, sync_method: owner_hub}",
              "strategy={name: hybrid, hot_factor: 3, sync_rate: 5000, sync_threshold: 0.5}",
              "strategy={name: hybrid, hot_factor: 3, sync_rate: 5000, average: true}",
              "strategy={name: hybrid, hot_factor: 3, sync_rate: 5000, rest: static}",
              "strategy={name: static, placement: locality, partitioner: greedy}",
              "strategy.name=relocation;workload.schedule=plain",
              "strategy.name=relocation;workload.schedule=dsgd",
              "strategy.name=relocation;workload.biases=true;workload.initial_deviation=0.1",
              "strategy.name=relocation;sim.quantum=0", "strategy.name=relocation;" + delays,
              "strategy.name=static;" + delays + ";sim.network=alpha_beta",
              "strategy.name=static;faults.slow_nodes=[{node: 1, slowdown: 3, from: 0.001}]",
              "strategy.name=relocation;cluster.platform=geo-distributed;seed=7"});
  // Of margins only: they need no logarithms, which differ from machine to machine.
  for (const std::string model : {"complex, n3: 0.01", "distmult, dropout: 0.2", "rescal, l2: 0.01",
                                  "transe_l1, negative_power: 0.5", "transe_l2, batch: 4",
                                  "rotate, batch: 8, share_negatives: true"}) {
    all.push_back(fmt::format(
        "workload={{name: knowledge_graph, model: {}, loss: margin, dimension: 8, negatives: 3, "
        "dataset: {{entities: 60, relations: 3, triples: 500, classes: "
        "5}}}};strategy.name=relocation",
        model));
  }
  for (const std::string model :
       {"model: skip_gram", "model: skip_gram, batch: centre, shuffle: true", "model: cbow"}) {
    all.push_back(
        "workload={name: word2vec, dimension: 8, dataset: {topics: 3, items: 3, sentences: 100}, " +
        model + "};strategy.name=relocation");
  }
  return all;
}

std::string pasteable(const std::string& overrides, const std::string& result) {
  return fmt::format("    {{\"{}\",\n     \"{}\"}},\n", overrides, result);
}

TEST(ASimulatedRun, GivesExactlyTheStoredResult) {
  std::map<std::string, std::string> expected = {
#include "tests/golden/expected.inc"
  };
  const bool print = std::getenv("PSLAB_PRINT_GOLDEN") != nullptr;
  for (const std::string& overrides : runs()) {
    const std::string result = run_small(overrides);
    if (print) {
      fmt::print("{}", pasteable(overrides, result));
      continue;
    }
    EXPECT_EQ(result, expected[overrides]) << "to accept it, paste this into expected.inc:\n"
                                           << pasteable(overrides, result);
    expected.erase(overrides);
  }
  if (print) return;
  for (const auto& [overrides, result] : expected) {
    ADD_FAILURE() << "expected.inc has a result that no test makes: " << overrides;
  }
}

TEST(ASimulatedRun, GivesTheSameResultTwice) {
  for (const std::string strategy : {"static", "relocation", "hybrid"}) {
    const std::string run = "strategy.name=" + strategy + ";seed=3";
    EXPECT_EQ(run_small(run), run_small(run)) << strategy;
    EXPECT_NE(run_small(run), run_small("strategy.name=" + strategy + ";seed=4")) << strategy;
  }
}

}  // namespace
}  // namespace pslab::test
