// How simulated runs must relate to each other and to what is known of them beforehand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/golden/small_run.hpp"

namespace pslab::test {
namespace {

double ratio_of_networks(const std::string& overrides) {
  return time_of(overrides + ";sim.network=alpha_beta") / time_of(overrides + ";sim.network=flow");
}

double local_share(const std::string& result) {
  return number(result, "local") / number(result, "accesses");
}

// Measured: at most 0.06 %.
TEST(TheNetworkModels, AgreeWithoutCongestion) {
  for (const std::string cluster : {"cluster.nodes=2", "cluster.nodes=4",
                                    "cluster={nodes: 4, workers_per_node: 2, platform: two-racks}",
                                    "cluster.platform=geo-distributed"}) {
    EXPECT_NEAR(ratio_of_networks("strategy.name=static;" + cluster), 1.0, 0.005) << cluster;
  }
}

// Values of 16 kB, 16 workers. On one switch both models have the cards as bottlenecks, but flows
// share a card where alpha_beta sends one message after the other: measured 0.86. Between two racks
// only `flow` has the uplinks: 0.59.
TEST(TheNetworkModels, DifferWhereLargeValuesMeetOnTheUplinksOfTwoRacks) {
  const std::string large = "strategy.name=static;workload.rank=4000;train.epochs=1;";
  EXPECT_NEAR(ratio_of_networks(large + "cluster={nodes: 8, workers_per_node: 2}"), 0.86, 0.07);
  EXPECT_NEAR(
      ratio_of_networks(large + "cluster={nodes: 8, workers_per_node: 2, platform: two-racks}"),
      0.59, 0.07);
}

TEST(ATraining, ThatDivergesFailsEvenIfItsNumbersStayFinite) {
  const std::string result = run_small("strategy.name=static;workload.step_size=100");
  EXPECT_THAT(result, testing::StartsWith("exception: epoch 1: the training loss is "));
  EXPECT_THAT(result,
              testing::HasSubstr("training diverged. Try a smaller workload.step_size (now 100)"));
}

TEST(ATraining, RefusesATargetThatItsWorkloadDoesNotMeasure) {
  EXPECT_THAT(run_small("train.target={metric: test_rsme, value: 0.9}"),
              testing::HasSubstr("train.target.metric: is no metric of workload "
                                 "'matrix_factorization'. Did you mean 'test_rmse'? It has: "
                                 "test_rmse, train_loss, seen the text 'test_rsme'"));
}

// What a worker does within a quantum cannot be interrupted by a key that leaves. That changes
// little: below 0.01 % for static placement; for strategies that move keys, less than another seed
// does (5 %).
TEST(TheQuantum, HardlyChangesSimulatedTime) {
  const auto time_with = [](const std::string& strategy, const std::string& quantum) {
    double total = 0.0;
    for (int seed = 1; seed <= 8; ++seed) {
      total += time_of("strategy.name=" + strategy + ";sim.quantum=" + quantum +
                       ";seed=" + std::to_string(seed) +
                       ";workload.dataset={generator: zipf_matrix, rows: 3000, cols: 600, "
                       "cells: 30000, zipf: 1.1, seed: 1}");
    }
    return total;
  };
  for (const auto& [strategy, bound] :
       {std::pair("static", 0.001), std::pair("relocation", 0.05)}) {
    EXPECT_NEAR(time_with(strategy, "10e-6") / time_with(strategy, "0"), 1.0, bound) << strategy;
  }
}

/// Largest relative difference between a worker's seconds and the time that the epoch took it.
std::string ledger_gap(const std::vector<run::EpochRecord>& epochs) {
  double most = 0.0;
  for (const run::EpochRecord& epoch : epochs) {
    for (const run::WorkerRecord& worker : epoch.workers) {
      double sum = 0.0;
      for (const double seconds : worker.seconds) sum += seconds;
      most = std::max(most, std::abs(sum - worker.time_s) / epoch.epoch_time_s);
    }
  }
  return fmt::format("gap {}", most);
}

TEST(AWorkersLedger, AddsUpToTheTimeOfItsEpochForEveryStrategy) {
  for (const std::string& strategy : every_strategy()) {
    for (const std::string network : {"flow", "alpha_beta"}) {
      const std::string overrides = strategy + ";sim.network=" + network;
      EXPECT_LT(number(run_small(overrides, ledger_gap), "gap"), 1e-9) << overrides;
    }
  }
}

TEST(OneWorkerOnOneNode, SendsNoMessageAndAccessesEverythingLocally) {
  for (const std::string& strategy : every_strategy()) {
    const std::string result = run_small("cluster={nodes: 1, workers_per_node: 1};" + strategy);
    EXPECT_EQ(number(result, "messages"), 0.0) << strategy;
    EXPECT_EQ(number(result, "bytes"), 0.0) << strategy;
    EXPECT_EQ(number(result, "local"), number(result, "accesses")) << strategy;
    EXPECT_EQ(number(result, "accesses"), 2 * 2700 * 4) << strategy << ": epochs, cells, per step";
  }
}

TEST(StaticPlacementOverEightNodes, FindsAnEighthOfTheKeysLocally) {
  const std::string result = run_small("cluster.nodes=8;strategy.name=static");
  EXPECT_NEAR(local_share(result), 1.0 / 8, 0.02);
}

TEST(FastLocalAccess, SavesTime) {
  for (const std::string nodes : {"1", "4"}) {
    const std::string cluster = "cluster.nodes=" + nodes;
    const double fast = time_of(cluster + ";strategy={name: static}");
    const double slow = time_of(cluster + ";strategy={name: static, fast_local_access: false}");
    EXPECT_GT(slow, fast) << nodes << " nodes";
  }
  const std::string without =
      run_small("strategy={name: static, fast_local_access: false};cluster.nodes=2");
  EXPECT_EQ(number(without, "local"), 0.0);
}

TEST(Relocation, AccessesMoreLocallyThanStaticPlacementAndIsFaster) {
  const std::string fixed = run_small("strategy.name=static");
  const std::string moved = run_small("strategy.name=relocation");
  EXPECT_GT(local_share(moved), 2.0 * local_share(fixed));
  EXPECT_LT(number(moved, "time"), 0.5 * number(fixed, "time"));
  EXPECT_EQ(number(fixed, "relocations"), 0.0);
  EXPECT_GT(number(moved, "relocations"), 0.0);
}

// A round of intents is longer than an epoch without waiting would be.
TEST(MatrixFactorization, AnnouncesFarAheadWhereIntentsWait) {
  const std::string adaptive = "strategy.name=adaptive;train.epochs=4;";
  EXPECT_LT(time_of(adaptive), 0.5 * time_of(adaptive + "workload.localize_ahead=1"));
}

}  // namespace
}  // namespace pslab::test
