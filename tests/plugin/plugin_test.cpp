// The build made strategies/static.cpp into a further strategy, `static_copy`, and compiled the
// examples of strategies/README.md (`first_keys`) and workloads/README.md (`counter`).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "config/yaml.hpp"
#include "tests/golden/small_run.hpp"

namespace pslab {
namespace {

using testing::Contains;

const Registry<Strategy>& strategies() {
  return Registry<Strategy>::instance();
}

TEST(AStrategyOfOneFile, IsInTheRegistryBesideTheOthers) {
  EXPECT_THAT(strategies().names(), Contains("static_copy"));
  EXPECT_THAT(strategies().names(), Contains("static"));
  EXPECT_EQ(strategies().find("static_copy", "strategy", "test").summary,
            strategies().find("static", "strategy", "test").summary);
}

TEST(AStrategyOfOneFile, IsMadeWithItsOwnOptions) {
  const config::Value given = config::parse_yaml("{placement: range}", "test");
  config::Options options(&given, "strategy");
  const auto strategy = strategies().find("static_copy", "strategy", "test").make(options);
  options.finish();
  const KeySpace keys({{"keys", 10, 2}});
  const std::vector<float> unknown;
  const auto accesses = [&]() -> const std::vector<float>& { return unknown; };
  Plan plan;
  strategy->plan(Task{keys, 2, 1, accesses, accesses}, plan);
  EXPECT_EQ(plan.placement, Placement::kRange);
  EXPECT_EQ(options.declarations().size(), 4U);
}

TEST(AStrategyOfOneFile, IsSuggestedForANameThatIsNearIt) {
  try {
    strategies().find("static_cpoy", "strategy", "test");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("Did you mean 'static_copy'?"));
  }
}

TEST(TheExamplesOfTheReadmes, RunTogether) {
  const std::string result = test::run_small(
      "workload={name: counter, keys: 20000};strategy={name: first_keys, count: 5};train.epochs=3");
  // Each of 8 workers adds 1 to each of 20000 keys in each of 3 epochs.
  EXPECT_EQ(test::number(result, "test_sum"), 480000.0) << result;
  EXPECT_GT(test::number(result, "rounds"), 0.0) << result;
}

}  // namespace
}  // namespace pslab
