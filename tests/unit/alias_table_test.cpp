// Draws by the alias method have the distribution that was asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/alias_table.hpp"
#include "chi_square.hpp"

namespace pslab {
namespace {

std::vector<int> draws(const std::vector<double>& weights, int count) {
  const AliasTable table(weights);
  Random random(1, "alias table");
  std::vector<int> counts(weights.size(), 0);
  for (int i = 0; i < count; ++i) ++counts[table.draw(random)];
  return counts;
}

TEST(AnAliasTable, DrawsEachOutcomeAsOftenAsItsWeightSays) {
  constexpr int kDraws = 1'000'000;
  for (const double exponent : {0.0, 0.5, 0.75, 2.0}) {
    std::vector<double> weights;
    for (int i = 1; i <= 200; ++i) weights.push_back(std::pow(i, exponent));
    std::vector<double> expected = weights;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& x : expected) x *= kDraws / total;
    EXPECT_LT(test::chi_square(draws(weights, kDraws), expected), test::chi_square_limit(200))
        << exponent;
  }
}

TEST(AnAliasTable, NeverDrawsWhatHasNoWeight) {
  const std::vector<int> counts = draws({0.0, 3.0, 0.0, 1.0, 0.0}, 10'000);
  EXPECT_EQ(counts[0] + counts[2] + counts[4], 0);
  EXPECT_NEAR(counts[1], 7500, 250);
}

TEST(AnAliasTable, MayHaveOneOutcome) {
  EXPECT_EQ(draws({0.1}, 100), std::vector<int>{100});
}

}  // namespace
}  // namespace pslab
