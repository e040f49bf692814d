// The synthetic workload under every registered strategy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/golden/small_run.hpp"

namespace pslab::test {
namespace {

std::string synthetic(const std::string& options) {
  return "workload={name: synthetic, keys: 300, value_length: 4, steps: 40, " + options + "};";
}

TEST(TheSyntheticWorkload, LosesNoUpdateUnderAnyStrategy) {
  for (const std::string options :
       {"zipf: 1.5", "locality: 0.8, drift: 0.5, lookahead: 3",
        "sample_share: 0.5, sample_zipf: 1, write_share: 0.3", "sample_share: 1, lookahead: 0",
        "locality: 1, phases: 4, lookahead: 1000"}) {
    for (const std::string& strategy : every_strategy()) {
      const std::string result = run_small(synthetic(options) + strategy);
      EXPECT_EQ(number(result, "test_lost_updates"), 0.0) << options << strategy << ": " << result;
    }
  }
}

TEST(TheSyntheticWorkload, MakesTheSameAccessesUnderEveryStrategy) {
  std::set<double> accesses;
  for (const std::string& strategy : every_strategy()) {
    accesses.insert(number(run_small(synthetic("sample_share: 0.25, write_share: 0.5") + strategy),
                           "accesses"));
  }
  // 2 epochs of 8 workers with 40 steps of 8 reads and 4 writes; reading all keys does not count.
  EXPECT_EQ(accesses, std::set<double>{2 * 8 * 40 * (8 + 4)});
}

TEST(TheSyntheticWorkload, GivesTheSameResultTwice) {
  for (const std::string& strategy : every_strategy()) {
    const std::string run = synthetic("sample_share: 0.25, locality: 0.5, drift: 0.1") + strategy;
    EXPECT_EQ(run_small(run), run_small(run)) << strategy;
    // Where everything is local and nothing is synchronised yet, all keys are alike.
    if (strategy == "strategy.name=full_replication") continue;
    EXPECT_NE(run_small(run), run_small(run + ";seed=4")) << strategy;
  }
}

TEST(TheSyntheticWorkload, HasNoMetricToReachWithoutEvaluation) {
  EXPECT_THAT(run_small(synthetic("evaluate: false") + "train.target={metric: loss, value: 1}"),
              testing::HasSubstr("is no metric of workload 'synthetic'. It has: none"));
}

TEST(TheSyntheticWorkload, OnlyReadsWhereNothingIsWritten) {
  const std::string result = run_small(synthetic("write_share: 0") + "strategy.name=static");
  EXPECT_EQ(number(result, "test_lost_updates"), 0.0);
  EXPECT_EQ(number(result, "accesses"), 2 * 8 * 40 * 8);
}

TEST(TheSyntheticWorkload, ShowsWhatRelocationMakesOfLocalityAndForesight) {
  const auto local = [](const std::string& options) {
    const std::string result = run_small(synthetic("compute_per_step: 1e7, zipf: 0, " + options) +
                                         "strategy.name=relocation");
    return number(result, "local") / number(result, "accesses");
  };
  EXPECT_LT(local("lookahead: 0"), 0.3) << "a quarter of the keys is here";
  EXPECT_GT(local("lookahead: 3"), 0.5);
  EXPECT_GT(local("lookahead: 3, locality: 1"), 0.95);
}

TEST(TheSyntheticWorkload, HasItsSamplesInTimeUnderAStrategyThatTakesIntents) {
  const auto local = [](const std::string& scheme) {
    const std::string result =
        run_small(synthetic("compute_per_step: 1e7, sample_share: 1, lookahead: 20") +
                  "strategy.name=adaptive;sampling=" + scheme);
    return number(result, "local") / number(result, "accesses");
  };
  EXPECT_GT(local("{scheme: independent}"), 0.95);
  EXPECT_GT(local("{scheme: reuse}"), 0.95);
  EXPECT_LT(local("{scheme: independent, prelocalize: false}"), 0.6);
}

}  // namespace
}  // namespace pslab::test
