#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

constexpr std::size_t kDraws = 200'000;

/// The first sampled key and every third after it; and others, which are no samples.
bool some_are_local(Key key) {
  return key < kOthers || key % 3 == kOthers % 3;
}

class Local : public testing::TestWithParam<std::string> {
 protected:
  static std::string with(const std::string& options) {
    return "{method: " + GetParam() + ", " + options + "}";
  }
};
INSTANTIATE_TEST_SUITE_P(By, Local, testing::Values("rejection", "scan"),
                         [](const auto& method) { return method.param; });

TEST_P(Local, PromisesNothing) {
  for (const std::string options : {"correct_replicas: true", "correct_replicas: false"}) {
    EXPECT_EQ(make_scheme("local", with(options))->conformity(), Conformity::kNone);
  }
}

TEST_P(Local, HandsOutLocalKeysOnlyAndLocalizesNone) {
  SamplingWorker worker("local", with("tries: 1000"));
  worker.context.is_local = some_are_local;
  for (const Key key : worker.rounds(1000, 10)) {
    ASSERT_TRUE(key >= kOthers && some_are_local(key)) << key;
  }
  EXPECT_TRUE(worker.localized.empty());
  EXPECT_TRUE(worker.announced.empty());
}

TEST_P(Local, FollowsTheTargetWhereAllIsLocal) {
  SamplingWorker worker("local", with("tries: 1000"));
  worker.context.is_local = [](Key) { return true; };
  EXPECT_LT(misfit(worker.pull(kDraws), target), kMost);
}

TEST(LocalByRejection, FollowsTheTargetAmongLocalKeysAndSoNotTheTarget) {
  SamplingWorker worker("local", "{method: rejection}");
  worker.context.is_local = some_are_local;
  double all = 0.0;
  for (Key key = kOthers; key < kKeys; ++key) all += some_are_local(key) ? target(key) : 0.0;
  const std::vector<Key> keys = worker.pull(kDraws);
  EXPECT_LT(misfit(keys, [&](Key key) { return some_are_local(key) ? target(key) / all : 0.0; }),
            kMost);
  EXPECT_GT(misfit(keys, target), kMuch);
}

TEST(LocalByRejection, UsesTheLastDrawWhenNoneIsLocal) {
  SamplingWorker worker("local", "{method: rejection, tries: 7}");
  const std::vector<Key> keys = worker.pull(1);
  EXPECT_EQ(keys.front(), worker.drawn.back());
  EXPECT_EQ(worker.drawn.size(), 7U);
}

TEST(LocalByScan, GivesALocalKeyTheWeightOfAllSinceTheOneBefore) {
  SamplingWorker worker("local", "{method: scan}");
  const auto is_local = [](Key key) { return key < kOthers || key == 9 || key == 10 || key == 20; };
  worker.context.is_local = is_local;
  std::vector<double> share(kKeys, 0.0);
  for (Key drawn = kOthers; drawn < kKeys; ++drawn) {
    Key key = drawn;
    while (!is_local(key)) key = key + 1 == kKeys ? kOthers : key + 1;  // stays in the group
    share[key] += target(drawn);
  }
  EXPECT_GT(share[20], 5.0 * share[10]) << "though it is drawn less than three times as often";
  EXPECT_LT(misfit(worker.pull(kDraws), [&](Key key) { return share[key]; }), kMost);
}

TEST(LocalByScan, UsesTheDrawnKeyWhenNothingOfItsGroupIsLocal) {
  SamplingWorker worker("local", "{method: scan}");
  worker.context.is_local = [](Key key) { return key < kOthers; };
  EXPECT_EQ(worker.pull(50), worker.drawn);
}

// Replicated are keys 10 to 14, on all of four nodes; the others are on one node each.
class OnFourNodes : public Local {
 protected:
  static constexpr NodeId kNodes = 4;
  static bool replicated(Key key) { return key >= 10 && key < 15; }

  /// How much more often than the target says replicated keys come, compared with the others.
  static double over_draw(const std::string& options) {
    std::vector<double> found(kKeys, 0.0);
    for (NodeId node = 0; node < kNodes; ++node) {
      SamplingWorker worker("local", with(options));
      worker.context.nodes = kNodes;
      worker.context.is_replicated = replicated;
      worker.context.is_local = [=](Key key) { return replicated(key) || key % kNodes == node; };
      const std::vector<double> on_node = counts(worker.pull(kDraws));
      for (Key key = 0; key < kKeys; ++key) found[key] += on_node[key];
    }
    double replicas = 0.0;
    double others = 0.0;
    double of_target = 0.0;
    for (Key key = kOthers; key < kKeys; ++key) {
      (replicated(key) ? replicas : others) += found[key];
      if (replicated(key)) of_target += target(key);
    }
    return replicas / of_target / (others / (1.0 - of_target));
  }
};
INSTANTIATE_TEST_SUITE_P(ByRejection, OnFourNodes, testing::Values("rejection"));

TEST_P(OnFourNodes, OverDrawsReplicatedKeysAsManyTimesAsThereAreNodes) {
  EXPECT_NEAR(over_draw("correct_replicas: false"), kNodes, 0.2);
}

TEST_P(OnFourNodes, DrawsReplicatedKeysAsOftenAsOthersWithTheCorrection) {
  EXPECT_NEAR(over_draw("correct_replicas: true"), 1.0, 0.05);
}

}  // namespace
}  // namespace pslab::test
