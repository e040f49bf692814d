#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

constexpr std::size_t kDraws = 200'000;

TEST(DirectReuse, PromisesNothing) {
  EXPECT_EQ(make_scheme("direct_reuse", "{}")->conformity(), Conformity::kNone);
}

TEST(DirectReuse, AsksForTheDirectAccessesThatItsOptionSays) {
  EXPECT_EQ(make_scheme("direct_reuse", "{recent: 17}")->recent_pulls(), 17U);
  EXPECT_EQ(make_scheme("independent", "{}")->recent_pulls(), 0U);
}

TEST(DirectReuse, HandsOutRecentDirectAccessesOfTheSampledGroupAsOftenAsTheyOccur) {
  SamplingWorker worker("direct_reuse");
  worker.context.recent = {0, 7, 7, 1, 9, 7, 2};
  const std::vector<Key> keys = worker.pull(kDraws);
  EXPECT_LT(misfit(keys, [](Key key) { return key == 7 ? 0.75 : key == 9 ? 0.25 : 0.0; }), kMost);
  EXPECT_GT(misfit(keys, target), kMuch);
}

TEST(DirectReuse, DrawsFromTheTargetWhileThereIsNoDirectAccess) {
  SamplingWorker worker("direct_reuse");
  EXPECT_EQ(worker.pull(50), worker.drawn);
}

TEST(DirectReuse, DrawsFromTheTargetWhenDirectAccessesAreToOtherGroups) {
  SamplingWorker worker("direct_reuse");
  worker.context.recent = {0, 1, 2, 4};
  EXPECT_EQ(worker.pull(50), worker.drawn);
}

}  // namespace
}  // namespace pslab::test
