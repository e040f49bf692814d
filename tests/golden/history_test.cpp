// What checking the history of a run changes of its results.

#include <gtest/gtest.h>

#include <string>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "tests/golden/small_run.hpp"

namespace pslab::test {
namespace {

/// Quality and accesses of a run: what does not say how long anything took.
std::string outcome(const std::string& overrides) {
  const std::string result = run_small(overrides);
  return result.substr(result.find("accesses"));
}

TEST(CheckingTheHistory, ChangesNothingOfWhatOneWorkerLearns) {
  for (const std::string& name : Registry<Strategy>::instance().names()) {
    const std::string run = "cluster={nodes: 1, workers_per_node: 1};strategy.name=" + name;
    EXPECT_EQ(outcome(run + ";checks.history=true"), outcome(run)) << name;
  }
}

// The workers of one node meet at barriers only.
TEST(CheckingTheHistory, ChangesNothingWhereNoTwoWorkersShareAKey) {
  const std::string run =
      "cluster={nodes: 1, workers_per_node: 4};strategy.name=static;workload.schedule=dsgd";
  EXPECT_EQ(outcome(run + ";checks.history=true"), outcome(run));
}

// A worker localizes all keys of a block before it uses them, and waits.
TEST(CheckingTheHistory, ChangesNothingWhereKeysAreLocalizedBeforeUse) {
  const std::string run = "strategy.name=relocation;workload.schedule=dsgd";
  EXPECT_EQ(outcome(run + ";checks.history=true"), outcome(run));
}

// Longer messages take longer, so updates meet in another order.
TEST(CheckingTheHistory, ElsewhereChangesWhatDependsOnTimeOnly) {
  const std::string run = "strategy.name=static";
  const std::string with = run_small(run + ";checks.history=true");
  const std::string without = run_small(run);
  EXPECT_EQ(number(with, "messages"), number(without, "messages"));
  EXPECT_EQ(number(with, "accesses"), number(without, "accesses"));
  EXPECT_GT(number(with, "bytes"), number(without, "bytes"));
  EXPECT_NEAR(number(with, "test_rmse") / number(without, "test_rmse"), 1.0, 0.01);
}

}  // namespace
}  // namespace pslab::test
