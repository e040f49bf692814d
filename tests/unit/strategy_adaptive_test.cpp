// How far ahead the adaptive strategy acts on intents.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "config/yaml.hpp"

namespace pslab {
namespace {

std::unique_ptr<Strategy> adaptive(const std::string& options) {
  const config::Value given = config::parse_yaml(options, "test");
  config::Options read(&given, "strategy");
  return Registry<Strategy>::instance().find("adaptive", "strategy", "test").make(read);
}

/// P(X <= n) for a Poisson variable.
double poisson_up_to(double mean, std::uint64_t n) {
  double sum = 0.0;
  for (std::uint64_t k = 0; k <= n; ++k) {
    const auto x = static_cast<double>(k);
    sum += std::exp(x * std::log(mean) - mean - std::lgamma(x + 1.0));
  }
  return sum;
}

TEST(TheWindowOfAdaptive, CoversThisRoundAndTheNextWithTheGivenCertainty) {
  const auto strategy = adaptive("{certainty: 0.9999}");
  for (const std::uint64_t clocks : {1U, 10U, 100U, 240U, 1000U}) {
    double expected = 0.0;
    const std::uint64_t window = strategy->action_window(clocks, expected);
    const double mean = 2.0 * static_cast<double>(clocks);
    // Above a mean of 500 it is approximate.
    const double slack = mean > 500.0 ? 2e-5 : 0.0;
    EXPECT_GE(poisson_up_to(mean, window), 0.9999 - slack) << clocks;
    EXPECT_LT(poisson_up_to(mean, window - 1), 0.9999 + slack) << clocks;
  }
}

TEST(TheWindowOfAdaptive, FollowsAWorkerThatGetsFasterAtOnceAndASlowerOneSlowly) {
  const auto strategy = adaptive("{}");
  double expected = 0.0;
  const std::uint64_t slow = strategy->action_window(10, expected);
  const std::uint64_t fast = strategy->action_window(100, expected);
  EXPECT_GT(fast, 5 * slow);
  double fresh = 0.0;
  EXPECT_EQ(fast, strategy->action_window(100, fresh));
  EXPECT_GT(strategy->action_window(10, expected), slow);
  for (int i = 0; i < 200; ++i) strategy->action_window(10, expected);
  EXPECT_EQ(strategy->action_window(10, expected), slow);
}

TEST(TheWindowOfAdaptive, DoesNotForgetAWorkerThatWaits) {
  const auto strategy = adaptive("{}");
  double expected = 0.0;
  const std::uint64_t window = strategy->action_window(50, expected);
  EXPECT_EQ(strategy->action_window(0, expected), window);
}

TEST(TheWindowOfAdaptive, IsInfiniteWhenItActsAtOnce) {
  double expected = 0.0;
  EXPECT_EQ(adaptive("{timing: at_once}")->action_window(1, expected),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Adaptive, MovesAKeyThatNobodyElseIsInterestedIn) {
  EXPECT_TRUE(adaptive("{}")->moves(1, 0));
  EXPECT_FALSE(adaptive("{}")->moves(1, 1));
  EXPECT_TRUE(adaptive("{technique: relocate}")->moves(1, 1));
  EXPECT_FALSE(adaptive("{technique: replicate}")->moves(1, 0));
}

}  // namespace
}  // namespace pslab
