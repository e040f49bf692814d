// Traces of simulated runs: recorded, replayed, and the bound that is computed from them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "run/training.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/child.hpp"
#include "tests/support/temp_directory.hpp"

namespace pslab::test {
namespace {

namespace fs = std::filesystem;

const std::string kSynthetic =
    "workload={name: synthetic, keys: 300, value_length: 4, steps: 40, zipf: 1.2, locality: 0.5, "
    "write_share: 0.5, lookahead: 3};";

/// Runs it, writes its trace, and tells what came out.
std::string record(const std::string& overrides, const fs::path& file) {
  return run_in_child([&] {
           const auto experiment = small_experiment(overrides + ";metrics.record_trace=true");
           std::vector<run::EpochRecord> epochs;
           run::Training training(*experiment,
                                  [&](const run::EpochRecord& epoch) { epochs.push_back(epoch); });
           const std::atomic<bool> stop{false};
           experiment->backend->execute(experiment->cluster, training, stop);
           std::ofstream(file, std::ios::binary) << trace::to_bytes(training.trace());
           return totals(epochs);
         })
      .text;
}

class ATrace : public testing::Test {
 protected:
  std::string replay(const std::string& overrides) const {
    return run_small("workload={name: synthetic, trace: " + file_.string() + "};" + overrides);
  }
  const TempDirectory directory_;
  const fs::path file_ = fs::path(directory_.path()) / "small.trace";
};

TEST_F(ATrace, DoesNotChangeTheRunThatItIsRecordedFrom) {
  for (const std::string& strategy : every_strategy()) {
    EXPECT_EQ(record(kSynthetic + strategy, file_), run_small(kSynthetic + strategy));
    EXPECT_EQ(record(strategy, file_), run_small(strategy));
  }
}

TEST_F(ATrace, GivesTheSameRunWhenItIsReplayedUnderTheSameStrategy) {
  for (const std::string& strategy : every_strategy()) {
    // Which keys are hot is expected before a synthetic run, but known before a replay.
    const bool hot = strategy.find("hybrid") != std::string::npos;
    const std::string named =
        hot ? "strategy={name: hybrid, replicated_keys: 300, sync_rate: 5000}" : strategy;
    const std::string recorded = record(kSynthetic + named, file_);
    EXPECT_EQ(recorded, replay(named));
  }
}

TEST_F(ATrace, CanBeRecordedWhileTheHistoryIsChecked) {
  const std::string checked = kSynthetic + "strategy.name=relocation;checks.history=true";
  EXPECT_EQ(record(checked, file_), run_small(checked));
  EXPECT_EQ(number(replay("strategy.name=relocation;checks.history=true"), "messages"),
            number(run_small(checked), "messages"));
}

TEST_F(ATrace, OfMatrixFactorizationSendsAsManyMessagesWhenItIsReplayed) {
  for (const std::string strategy : {"static", "relocation", "ssp"}) {
    for (const std::string schedule : {"plain", "dsgd"}) {
      const std::string overrides = "strategy.name=" + strategy;
      const std::string recorded = record(overrides + ";workload.schedule=" + schedule, file_);
      const std::string replayed = replay(overrides);
      EXPECT_EQ(number(recorded, "messages"), number(replayed, "messages")) << recorded;
      EXPECT_EQ(number(recorded, "bytes"), number(replayed, "bytes"));
      EXPECT_DOUBLE_EQ(number(recorded, "time"), number(replayed, "time"));
      EXPECT_EQ(number(replayed, "test_lost_updates"), 0.0);
    }
  }
}

TEST_F(ATrace, IsReplayedByEveryStrategyWithSamplesAsOtherAccesses) {
  record(
      "workload={name: synthetic, keys: 300, value_length: 4, steps: 40, sample_share: 0.5};"
      "strategy.name=static",
      file_);
  std::set<double> accesses;
  for (const std::string& strategy : every_strategy()) {
    const std::string replayed = replay(strategy);
    EXPECT_EQ(number(replayed, "test_lost_updates"), 0.0) << strategy;
    accesses.insert(number(replayed, "accesses"));
  }
  EXPECT_EQ(accesses, std::set<double>{2 * 8 * 40 * 16});
}

TEST_F(ATrace, ReplaysOnOtherNodesWithAsManyWorkers) {
  record(kSynthetic + "strategy.name=static", file_);
  EXPECT_EQ(number(replay("cluster={nodes: 8, workers_per_node: 1}"), "test_lost_updates"), 0.0);
  EXPECT_THAT(replay("cluster.nodes=3"),
              testing::HasSubstr("was recorded with 4 nodes x 2 workers, but the cluster has 3 x "
                                 "2. Each worker does what one of the trace did: set"));
}

TEST_F(ATrace, IsReplayedFromTheStartWhenItHasTooFewEpochs) {
  record(kSynthetic + "strategy.name=static", file_);
  const double once = number(replay("strategy.name=static"), "accesses");
  EXPECT_EQ(number(replay("strategy.name=static;train.epochs=3"), "accesses"), 1.5 * once);
}

TEST_F(ATrace, TellsWhichKeysEachNodeAccesses) {
  record(kSynthetic + "strategy.name=static", file_);
  const auto local = [&](const std::string& strategy) {
    return number(replay("strategy=" + strategy), "local");
  };
  EXPECT_GT(local("{name: static, placement: locality}"), 1.5 * local("{name: static}"));
}

TEST_F(ATrace, LeavesNoOtherOptionToGive) {
  record(kSynthetic + "strategy.name=static", file_);
  EXPECT_THAT(replay("workload.steps=5"),
              testing::HasSubstr("workload.steps: must be left out with workload.trace, which says "
                                 "what is accessed, seen the integer 5"));
}

/// Of each epoch: "time bound ".
std::string times_and_bounds(const std::vector<run::EpochRecord>& epochs) {
  std::string text;
  for (const run::EpochRecord& epoch : epochs) {
    text += fmt::format("{} {} ", epoch.epoch_time_s, epoch.oracle_s.value());
  }
  return text;
}

void expect_bounds(const std::string& overrides) {
  std::istringstream text(run_small(overrides + ";metrics.oracle=true", times_and_bounds));
  int epochs = 0;
  for (double time, bound; text >> time >> bound; ++epochs) {
    EXPECT_LE(bound, time * (1 + 1e-9)) << overrides;
    EXPECT_GT(bound, 0.0) << overrides;
  }
  EXPECT_EQ(epochs, 2) << overrides << ": " << text.str();
}

TEST(TheOracle, IsNoSlowerThanAnyRun) {
  std::vector<std::string> strategies = every_strategy();
  strategies.push_back("strategy={name: static, fast_local_access: false}");
  strategies.push_back("strategy={name: relocation, location_caches: true}");
  strategies.push_back("strategy={name: adaptive, technique: relocate}");
  for (const std::string& strategy : strategies) {
    for (const std::string& workload :
         {std::string("workload.schedule=plain"), std::string("workload.schedule=dsgd"),
          kSynthetic + "seed=2",
          std::string("workload={name: synthetic, keys: 40, steps: 60, value_length: 64, "
                      "sample_share: 0.25, compute_per_step: 1e5}")}) {
      for (const std::string platform : {"cluster.platform=ethernet-10g",
                                         "cluster.platform=infiniband-100g;sim.network=alpha_beta",
                                         "cluster.platform=geo-distributed"}) {
        expect_bounds(workload + ";" + strategy + ";" + platform);
      }
    }
    expect_bounds(kSynthetic + strategy + ";metrics.oracle_copies=any_age");
  }
}

TEST(TheOracle, IsTheTimeOfARunOnOneNode) {
  for (const std::string& workload : {std::string(""), kSynthetic}) {
    std::istringstream text(
        run_small(workload + "cluster={nodes: 1, workers_per_node: 1};strategy.name=static;"
                             "metrics.oracle=true",
                  times_and_bounds));
    for (double time, bound; text >> time >> bound;) EXPECT_NEAR(bound / time, 1.0, 0.02);
  }
}

TEST(TheOracle, ShowsWhatOldCopiesGain) {
  // Exact times: a quantum of running ahead is as long as a message takes.
  const auto bound = [](const std::string& copies) {
    std::istringstream text(run_small(
        "workload={name: synthetic, keys: 4, steps: 100, lookahead: 0};sim.quantum=0;"
        "strategy={name: full_replication, sync_rate: 0};metrics={oracle: true, oracle_copies: " +
            copies + "}",
        times_and_bounds));
    double time = 0.0;
    double least = 0.0;
    text >> time >> least;
    return least / time;
  };
  EXPECT_LE(bound("as_promised"), 1.0);
  EXPECT_EQ(bound("as_promised"), bound("any_age"));
  EXPECT_GT(bound("fresh"), 1.5) << "no strategy whose copies are fresh could be as fast";
}

}  // namespace
}  // namespace pslab::test
