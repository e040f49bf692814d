#include "base/zipf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/unit/chi_square.hpp"

namespace pslab {
namespace {

constexpr double kExponents[] = {0.0, 0.5, 0.99, 1.0, 1.1, 2.0, 3.0, 10.0};

double weight_by_hand(std::uint64_t begin, std::uint64_t end, double exponent) {
  double sum = 0;
  for (std::uint64_t rank = end; rank-- > begin;) {  // small ones first
    sum += std::pow(1.0 + static_cast<double>(rank), -exponent);
  }
  return sum;
}

/// Rank ranges that each get at least 25 of `draws`: a rank on its own where that is enough.
std::vector<std::uint64_t> cell_ends(const Zipf& zipf, int draws) {
  std::vector<std::uint64_t> ends;
  std::uint64_t begin = 0;
  while (begin < zipf.ranks()) {
    std::uint64_t end = begin + 1;
    while (end < zipf.ranks() && draws * zipf.probability(begin, end) < 25) end += end - begin;
    end = std::min(end, zipf.ranks());
    if (draws * zipf.probability(end, zipf.ranks()) < 25) end = zipf.ranks();
    ends.push_back(end);
    begin = end;
  }
  return ends;
}

TEST(ZipfDraws, FollowTheLawForEveryNumberOfRanksAndExponent) {
  constexpr int kDraws = 100'000;
  for (const std::uint64_t ranks : {1ULL, 2ULL, 3ULL, 10ULL, 1000ULL, 100'000'000ULL}) {
    for (const double exponent : kExponents) {
      const Zipf zipf(ranks, exponent);
      const std::vector<std::uint64_t> ends = cell_ends(zipf, kDraws);
      std::vector<int> counts(ends.size());
      Random random(1, "zipf", ranks);
      for (int i = 0; i < kDraws; ++i) {
        const std::uint64_t rank = zipf.draw(random);
        ASSERT_LT(rank, ranks);
        ++counts[static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), rank) -
                                          ends.begin())];
      }
      std::vector<double> expected;
      for (std::uint64_t begin = 0; const std::uint64_t end : ends) {
        expected.push_back(kDraws * zipf.probability(begin, end));
        begin = end;
      }
      EXPECT_LE(test::chi_square(counts, expected), test::chi_square_limit(ends.size()) + 1e-9)
          << ranks << " ranks, exponent " << exponent;
    }
  }
}

TEST(ZipfProbabilities, AgreeWithSumsByHand) {
  constexpr std::uint64_t kRanks = 20'000;
  for (const double exponent : kExponents) {
    const Zipf zipf(kRanks, exponent);
    const double total = weight_by_hand(0, kRanks, exponent);
    for (const auto& [begin, end] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 0},
                                                              {0, 1},
                                                              {1, 64},
                                                              {63, 65},
                                                              {64, 66},
                                                              {0, 1000},
                                                              {65, 19'999},
                                                              {700, 800},
                                                              {19'998, 20'000},
                                                              {19'999, 20'000},
                                                              {0, kRanks}}) {
      const double expected = weight_by_hand(begin, end, exponent) / total;
      EXPECT_NEAR(zipf.probability(begin, end), expected, 1e-8 * expected)
          << begin << " to " << end << ", exponent " << exponent;
    }
  }
}

TEST(ZipfProbabilities, AreThoseOfKnownSumsForAHundredMillionRanks) {
  constexpr std::uint64_t kRanks = 100'000'000;
  const auto total = [](double exponent) { return 1 / Zipf(kRanks, exponent).probability(0, 1); };
  EXPECT_NEAR(total(0.0), 1e8, 1e-4);
  EXPECT_NEAR(total(1.0), std::log(1e8) + std::numbers::egamma + 0.5e-8, 1e-10);
  EXPECT_NEAR(total(2.0), std::numbers::pi * std::numbers::pi / 6 - 1e-8, 1e-10);
}

}  // namespace
}  // namespace pslab
