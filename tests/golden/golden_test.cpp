// Exact results of small simulated runs. An intended change is pasted over expected.inc from
//
//   PSLAB_PRINT_GOLDEN=1 build/release/tests/golden/golden_test

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "config/overrides.hpp"
#include "config/yaml.hpp"
#include "run/experiment.hpp"
#include "run/training.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

struct Golden {
  std::string overrides;  ///< on top of kBase, separated by ';'
  std::string result;
};

const char* const kBase = R"(
cluster: {nodes: 4, workers_per_node: 2}
workload:
  name: matrix_factorization
  rank: 8
  dataset: {generator: zipf_matrix, rows: 300, cols: 60, cells: 3000, zipf: 1.1, seed: 1, test_share: 0.1}
train: {epochs: 2}
)";

std::vector<Golden> expected() {
  return {
#include "tests/golden/expected.inc"
  };
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string run(const std::string& overrides) {
  config::Value config = config::parse_yaml(kBase, "golden");
  config::apply_overrides(config, split(overrides));
  run::Experiment experiment(config, PSLAB_SOURCE_DIR);
  experiment.workload->load({experiment.cluster.seed, experiment.cluster.nodes,
                             experiment.cluster.workers_per_node, PSLAB_SOURCE_DIR,
                             [](const std::string&) {}});
  std::string result;
  run::Training training(experiment, [&](const run::EpochRecord& record) {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t relocations = 0;
    for (const run::NodeRecord& node : record.nodes) {
      for (const std::uint64_t count : node.messages) messages += count;
      for (const std::uint64_t count : node.bytes) bytes += count;
      relocations += node.relocations;
    }
    result = fmt::format("time {} messages {} bytes {} relocations {} rounds {}", record.time_s,
                         messages, bytes, relocations, record.nodes[0].sync_rounds);
    for (const Metric& metric : record.metrics)
      result += fmt::format(" {} {:.12g}", metric.name, metric.value);
  });
  const std::atomic<bool> stop{false};
  experiment.backend->execute(experiment.cluster, training, stop);
  return result;
}

TEST(ASimulatedRun, GivesExactlyTheStoredResult) {
  const bool print = std::getenv("PSLAB_PRINT_GOLDEN") != nullptr;
  for (const Golden& golden : expected()) {
    const std::string result = run_in_child([&] { return run(golden.overrides); }).text;
    if (print) fmt::print("    {{\"{}\",\n     \"{}\"}},\n", golden.overrides, result);
    EXPECT_EQ(result, golden.result) << "for " << golden.overrides << "\nto accept: {\""
                                     << golden.overrides << "\",\n \"" << result << "\"},";
  }
}

double time_in(const std::string& result) {
  return std::stod(result.substr(result.find(' ')));
}

// What a worker does within a quantum cannot be interrupted by a key that leaves: for static
// placement that changes nothing, for strategies that move keys a few parts in a hundred either
// way.
TEST(ASimulatedRun, TakesAboutTheSameTimeWithoutAQuantum) {
  const auto time_of = [&](const std::string& strategy, const std::string& quantum) {
    double total = 0.0;
    for (const std::string seed : {"1", "2", "3"}) {
      total += time_in(run_in_child([&] {
                         return run("strategy.name=" + strategy + ";sim.quantum=" + quantum +
                                    ";seed=" + seed +
                                    ";workload.dataset.rows=3000;workload.dataset.cols=600;"
                                    "workload.dataset.cells=30000");
                       }).text);
    }
    return total;
  };
  const auto compare = [&](const std::string& strategy, double tolerance) {
    const double exact = time_of(strategy, "0");
    EXPECT_NEAR(time_of(strategy, "50e-6"), exact, tolerance * exact) << strategy;
  };
  compare("static", 0.005);
  compare("relocation", 0.1);
  compare("hybrid", 0.1);
}

TEST(ASimulatedRun, TakesAboutTheSameTimeInBothNetworkModelsWithoutCongestion) {
  const auto time_of = [&](const std::string& network) {
    const std::string text =
        run_in_child([&] { return run("strategy.name=static;sim.network=" + network); }).text;
    return std::stod(text.substr(text.find(' ')));
  };
  const double flow = time_of("flow");
  EXPECT_NEAR(time_of("alpha_beta"), flow, 0.03 * flow);
}

TEST(ASimulatedRun, TakesLongerInTheFlowModelWhenASharedUplinkIsCongested) {
  const auto time_of = [&](const std::string& network) {
    const std::string text =
        run_in_child([&] {
          return run(
              "strategy.name=static;workload.rank=4000;cluster.platform=two-racks;"
              "cluster.nodes=8;train.epochs=1;sim.network=" +
              network);
        }).text;
    return std::stod(text.substr(text.find(' ')));
  };
  EXPECT_GT(time_of("flow"), 1.05 * time_of("alpha_beta"));
}

TEST(AWorkersLedger, AddsUpToItsEpochTime) {
  for (const std::string strategy : {"static", "relocation", "hybrid"}) {
    const std::string worst =
        run_in_child([&] {
          config::Value config = config::parse_yaml(kBase, "golden");
          config::apply_overrides(config, {"strategy.name=" + strategy});
          run::Experiment experiment(config, PSLAB_SOURCE_DIR);
          experiment.workload->load({1, 4, 2, PSLAB_SOURCE_DIR, [](const std::string&) {}});
          double most = 0.0;
          run::Training training(experiment, [&](const run::EpochRecord& record) {
            for (const run::WorkerRecord& worker : record.workers) {
              double sum = 0.0;
              for (const double seconds : worker.seconds) sum += seconds;
              most = std::max(most, std::abs(sum - record.epoch_time_s));
            }
          });
          const std::atomic<bool> stop{false};
          experiment.backend->execute(experiment.cluster, training, stop);
          return fmt::format("{}", most);
        }).text;
    EXPECT_LT(std::stod(worst), 1e-9) << strategy;
  }
}

TEST(ARun, FailsWithTheNodesNameWhenANodeDies) {
  const std::string text =
      run_in_child([] {
        return run("strategy.name=static;faults.failures=[{node: 2, at: 0.001}]");
      }).text;
  EXPECT_NE(text.find("node 2 failed"), std::string::npos) << text;
}

TEST(AnEpoch, TakesLongerWithASlowNodeAndWithASlowLink) {
  const auto time_of = [&](const std::string& fault) {
    const std::string text = run_in_child([&] { return run("strategy.name=static" + fault); }).text;
    return std::stod(text.substr(text.find(' ')));
  };
  const double healthy = time_of("");
  EXPECT_GT(time_of(";faults.slow_nodes=[{node: 1, slowdown: 20}]"), 1.2 * healthy);
  EXPECT_GT(time_of(";faults.slow_links=[{from_node: 0, to_node: 1, extra_latency: 0.0005}]"),
            1.2 * healthy);
  EXPECT_NEAR(time_of(";faults.slow_nodes=[{node: 1, slowdown: 20, from: 1000}]"), healthy, 1e-12);
}

}  // namespace
}  // namespace pslab::test
