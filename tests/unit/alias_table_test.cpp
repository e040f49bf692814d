// Draws by weights.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/alias_table.hpp"

namespace pslab {
namespace {

TEST(AliasTable, DrawsInProportionToTheWeights) {
  const std::vector<double> weights = {1.0, 0.0, 7.0, 2.0, 30.0};
  const AliasTable table(weights);
  std::vector<int> drawn(weights.size(), 0);
  Random random(1, "alias test");
  constexpr int kDraws = 400'000;
  for (int i = 0; i < kDraws; ++i) ++drawn[table.draw(random)];
  EXPECT_EQ(drawn[1], 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = kDraws * weights[i] / 40.0;
    EXPECT_NEAR(drawn[i], expected, 5 * std::sqrt(expected + 1)) << i;
  }
}

TEST(AliasTable, HasOneNumberOrAllAlike) {
  Random random(1, "alias test");
  EXPECT_EQ(AliasTable(std::vector<double>{3.0}).draw(random), 0U);
  const AliasTable table(std::vector<double>(3, 0.1));
  std::vector<int> drawn(3, 0);
  for (int i = 0; i < 30'000; ++i) ++drawn[table.draw(random)];
  for (const int count : drawn) EXPECT_NEAR(count, 10'000, 500);
}

}  // namespace
}  // namespace pslab
