#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

using testing::IsEmpty;

class Independent : public testing::TestWithParam<bool> {
 protected:
  static std::string options() {
    return GetParam() ? "{prelocalize: true}" : "{prelocalize: false}";
  }
  SamplingWorker worker_{"independent", options()};
};
INSTANTIATE_TEST_SUITE_P(Scheme, Independent, testing::Values(true, false), [](const auto& ahead) {
  return ahead.param ? "DrawingAhead" : "DrawingLate";
});

TEST_P(Independent, DeclaresWhatItIs) {
  EXPECT_EQ(make_scheme("independent", options())->conformity(), Conformity::kIndependent);
}

TEST_P(Independent, DrawsFromTheTargetDistribution) {
  EXPECT_LT(misfit(worker_.rounds(10'000, 21), target), kMost);
}

TEST_P(Independent, DrawsTheSecondOfTwoSamplesIndependentlyOfTheFirst) {
  const std::vector<Key> keys = worker_.rounds(100'000, 2);
  EXPECT_LT(dependence(every(keys, 0, 2), every(keys, 1, 2)), kMost);
  EXPECT_LT(dependence(every(keys, 1, 4), every(keys, 2, 4)), kMost);
}

TEST_P(Independent, LocalizesWhatItHandsOutOrNothing) {
  worker_.prepare(10);
  worker_.prepare(5);
  EXPECT_EQ(worker_.drawn.size(), GetParam() ? 15U : 0U);
  std::vector<Key> handed_out = worker_.pull(4);
  for (const Key key : worker_.pull(11)) handed_out.push_back(key);
  if (GetParam()) {
    EXPECT_EQ(worker_.announced, handed_out);
  } else {
    EXPECT_THAT(worker_.announced, IsEmpty());
  }
  EXPECT_EQ(worker_.drawn.size(), 15U);
}

TEST_P(Independent, KeepsWhatWasPreparedAndNotTaken) {
  worker_.prepare(6);
  std::vector<Key> handed_out = worker_.pull(2);
  worker_.prepare(2);
  for (const Key key : worker_.pull(6)) handed_out.push_back(key);
  EXPECT_EQ(worker_.drawn.size(), 8U);
  EXPECT_EQ(worker_.drawn, handed_out);
}

}  // namespace
}  // namespace pslab::test
