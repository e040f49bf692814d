#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "config/yaml.hpp"

namespace pslab {
namespace {

using testing::IsEmpty;

/// What a worker's sampler sees: a target distribution, and a record of what it asks for.
class Independent : public testing::TestWithParam<bool> {
 protected:
  Independent() {
    const config::Value options =
        config::parse_yaml(GetParam() ? "{prelocalize: true}" : "{prelocalize: false}", "test");
    config::Options read(&options, "sampling");
    scheme_ = Registry<SamplingScheme>::instance().find("independent", "scheme", "test").make(read);
    sampler_ = scheme_->make_sampler();
    context_.draw = [this](Random& random) {
      ++drawn_;
      return draw(random);
    };
    context_.is_local = [](Key) { return false; };
    context_.localize = [this](std::span<const Key> keys) {
      localized_.insert(localized_.end(), keys.begin(), keys.end());
    };
  }

  static constexpr Key kKeys = 20;
  /// Key k with probability proportional to k + 1.
  static Key draw(Random& random) {
    std::uint64_t ticket = random.below(kKeys * (kKeys + 1) / 2);
    Key key = 0;
    while (ticket > key) ticket -= ++key;
    return key;
  }

  std::vector<Key> pull(std::size_t n) {
    std::vector<Key> keys(n, kKeys);
    sampler_->pull(context_, keys, random_);
    return keys;
  }

  std::unique_ptr<SamplingScheme> scheme_;
  std::unique_ptr<Sampler> sampler_;
  SamplingContext context_;
  Random random_{3, "sampling test"};
  std::vector<Key> localized_;
  std::size_t drawn_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Scheme, Independent, testing::Values(true, false), [](const auto& ahead) {
  return ahead.param ? "DrawingAhead" : "DrawingLate";
});

TEST_P(Independent, DeclaresWhatItIs) {
  EXPECT_EQ(scheme_->conformity(), Conformity::kIndependent);
}

// The seed is fixed: the statistic cannot exceed its bound by chance from one run to the next.
TEST_P(Independent, DrawsFromTheTargetDistribution) {
  constexpr int kRounds = 10'000;
  constexpr std::size_t kPerRound = 21;
  std::vector<double> counts(kKeys, 0.0);
  for (int round = 0; round < kRounds; ++round) {
    sampler_->prepare(context_, kPerRound, random_);
    for (const Key key : pull(kPerRound)) counts[key] += 1.0;
  }
  double statistic = 0.0;
  for (Key key = 0; key < kKeys; ++key) {
    const double expected = static_cast<double>(kRounds * kPerRound) *
                            static_cast<double>(key + 1) / (kKeys * (kKeys + 1) / 2.0);
    statistic += (counts[key] - expected) * (counts[key] - expected) / expected;
  }
  EXPECT_LT(statistic, 19.0 + 5.0 * std::sqrt(38.0));  // mean and five deviations
}

TEST_P(Independent, DrawsTheSecondOfTwoSamplesIndependentlyOfTheFirst) {
  double together = 0.0;
  double first = 0.0;
  double second = 0.0;
  constexpr int kPairs = 100'000;
  for (int i = 0; i < kPairs; ++i) {
    sampler_->prepare(context_, 2, random_);
    const std::vector<Key> pair = pull(2);
    first += pair[0] >= 14 ? 1.0 : 0.0;
    second += pair[1] >= 14 ? 1.0 : 0.0;
    together += pair[0] >= 14 && pair[1] >= 14 ? 1.0 : 0.0;
  }
  EXPECT_NEAR(together / kPairs, first / kPairs * second / kPairs, 0.005);
}

TEST_P(Independent, LocalizesWhatItHandsOutOrNothing) {
  sampler_->prepare(context_, 10, random_);
  sampler_->prepare(context_, 5, random_);
  EXPECT_EQ(drawn_, GetParam() ? 15U : 0U);
  std::vector<Key> handed_out = pull(4);
  for (const Key key : pull(11)) handed_out.push_back(key);
  if (GetParam()) {
    EXPECT_EQ(localized_, handed_out);
  } else {
    EXPECT_THAT(localized_, IsEmpty());
  }
  EXPECT_EQ(drawn_, 15U);
}

TEST_P(Independent, KeepsWhatWasPreparedAndNotTaken) {
  sampler_->prepare(context_, 6, random_);
  std::vector<Key> handed_out = pull(2);
  sampler_->prepare(context_, 2, random_);
  for (const Key key : pull(6)) handed_out.push_back(key);
  EXPECT_EQ(drawn_, 8U);
  if (GetParam()) {
    EXPECT_EQ(localized_, handed_out);
  }
}

}  // namespace
}  // namespace pslab
