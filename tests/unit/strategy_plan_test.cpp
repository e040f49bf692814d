#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "base/error.hpp"
#include "config/yaml.hpp"

namespace pslab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Accesses = std::vector<float>;

std::unique_ptr<Strategy> make(const std::string& name, const std::string& yaml) {
  const config::Value given = config::parse_yaml(yaml, "quick.yaml");
  config::Options options(yaml.empty() ? nullptr : &given, "strategy");
  auto strategy = Registry<Strategy>::instance().find(name, "strategy", "").make(options);
  options.finish();
  return strategy;
}

/// What a strategy plans for `num_keys` keys, on four nodes.
Plan planned(Strategy& strategy, Key num_keys, const Accesses& direct, const Accesses& samples) {
  const KeySpace keys({{"keys", num_keys, 2}});
  const Task task{keys, 4, 2, [&]() -> const Accesses& { return direct; },
                  [&]() -> const Accesses& { return samples; }};
  Plan plan;
  strategy.plan(task, plan);
  return plan;
}

std::vector<Key> replicated(const std::string& yaml, Key num_keys, const Accesses& direct,
                            const Accesses& samples = {}) {
  return planned(*make("hybrid", yaml), num_keys, direct, samples).replicated;
}

std::string refusal(const std::string& name, const std::string& yaml) {
  try {
    make(name, yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(HybridPlan, ReplicatesTheKeysAboveHotFactorTimesTheMeanAndNoOthers) {
  const Accesses accesses = {41, 1, 39, 9, 0, 10};  // five keys in use, mean 20
  EXPECT_THAT(replicated("hot_factor: 2", 6, accesses), UnorderedElementsAre(0));
  EXPECT_THAT(replicated("hot_factor: 1.9", 6, accesses), UnorderedElementsAre(0, 2));
  EXPECT_THAT(replicated("hot_factor: 0.46", 6, accesses), UnorderedElementsAre(0, 2, 5));
}

TEST(HybridPlan, DoesNotReplicateAKeyThatIsExactlyAtTheThreshold) {
  EXPECT_THAT(replicated("hot_factor: 1", 4, {8, 8, 8, 8}), IsEmpty());
  EXPECT_THAT(replicated("hot_factor: 1.5", 2, {3, 1}), IsEmpty());
}

TEST(HybridPlan, TakesTheMeanOverTheKeysInUseOnly) {
  Accesses accesses(1000, 0.0F);
  accesses[3] = 10;
  accesses[7] = 10;  // over all keys these two would be 500 times the mean
  EXPECT_THAT(replicated("hot_factor: 2", 1000, accesses), IsEmpty());
  EXPECT_THAT(replicated("hot_factor: 0", 1000, accesses), UnorderedElementsAre(3, 7));
}

TEST(HybridPlan, TakesTheMeanOverAllKeysIfAskedTo) {
  Accesses accesses(1000, 0.0F);
  accesses[3] = 10;
  accesses[7] = 30;  // the mean is 20 over these two, 0.04 over all
  EXPECT_THAT(replicated("{mean_over: all, hot_factor: 200}", 1000, accesses),
              UnorderedElementsAre(3, 7));
  EXPECT_THAT(replicated("{mean_over: all, hot_factor: 500}", 1000, accesses),
              UnorderedElementsAre(7));
}

TEST(HybridPlan, LeavesTheRestWhereItIsIfAskedTo) {
  EXPECT_FALSE(make("hybrid", "rest: static")->relocates(1));
  EXPECT_TRUE(make("hybrid", "rest: relocated")->relocates(1));
}

TEST(HybridPlan, HasADefaultFactorOfAHundred) {
  Accesses accesses(1000, 1.0F);
  accesses[500] = 120;  // the mean is 1.119 and 1.118
  EXPECT_THAT(replicated("", 1000, accesses), UnorderedElementsAre(500));
  accesses[500] = 110;
  EXPECT_THAT(replicated("", 1000, accesses), IsEmpty());
}

TEST(HybridPlan, AddsAccessesBySamplingToDirectOnes) {
  const Accesses direct = {6, 6, 1, 1};
  const Accesses samples = {6, 0, 0, 4};  // together 12, 6, 1, 5: mean 6
  EXPECT_THAT(replicated("hot_factor: 1.5", 4, direct, samples), UnorderedElementsAre(0));
  EXPECT_THAT(replicated("hot_factor: 1.1", 4, {}, samples), UnorderedElementsAre(0));
}

TEST(HybridPlan, ReplicatesAsManyOfTheMostAccessedKeysAsAskedFor) {
  const Accesses accesses = {5, 9, 1, 9, 7};
  EXPECT_THAT(replicated("replicated_keys: 0", 5, accesses), IsEmpty());
  EXPECT_THAT(replicated("replicated_keys: 1", 5, accesses), ElementsAre(1)) << "ties: lowest key";
  EXPECT_THAT(replicated("replicated_keys: 3", 5, accesses), UnorderedElementsAre(1, 3, 4));
  EXPECT_THAT(replicated("replicated_keys: 99", 5, accesses), UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST(HybridPlan, RefusesAWayToChooseKeysBesideAnotherBecauseItWouldHaveNoEffect) {
  for (const char* yaml :
       {"{replicated_keys: 2, hot_factor: 0}", "{replicated_keys: 0, hot_factor: 5}"}) {
    EXPECT_THAT(
        refusal("hybrid", yaml),
        HasSubstr("strategy.hot_factor: has no effect with strategy.replicated_keys; remove "
                  "one of them, seen the integer "));
  }
  EXPECT_THAT(refusal("hybrid", "{replicated_keys: 2, mean_over: all}"),
              HasSubstr("strategy.mean_over: has no effect with strategy.replicated_keys"));
  for (const char* other : {"replicated_keys: 2", "hot_factor: 5", "mean_over: all"}) {
    EXPECT_THAT(refusal("hybrid", fmt::format("{{key_list: file, {}}}", other)),
                HasSubstr("has no effect with strategy.key_list; remove one of them"));
  }
  EXPECT_EQ(refusal("hybrid", "{replicated_keys: 2, hot_factor: 100, mean_over: candidates}"),
            "no error")
      << "a resolved config";
}

TEST(HybridPlan, ReplicatesNothingByFactorWhenFrequenciesAreUnknown) {
  EXPECT_THAT(replicated("", 100, {}), IsEmpty());
  EXPECT_THAT(replicated("hot_factor: 0", 100, {}), IsEmpty());
}

TEST(HybridPlan, PassesTheSyncRateOnAndRelocatesTheRest) {
  const auto strategy = make("hybrid", "sync_rate: 5");
  EXPECT_EQ(planned(*strategy, 3, {}, {}).all_reduce.rounds_per_second, 5.0);
  EXPECT_TRUE(strategy->relocates(1));
  EXPECT_EQ(planned(*make("hybrid", ""), 3, {}, {}).all_reduce.rounds_per_second, 25.0);
}

TEST(HybridPlan, RefusesOptionsOutOfRange) {
  EXPECT_THAT(refusal("hybrid", "hot_factor: -1"), AllOf(HasSubstr("hot_factor"), HasSubstr("-1")));
  EXPECT_THAT(refusal("hybrid", "replicated_keys: -2"), HasSubstr("replicated_keys"));
  EXPECT_THAT(refusal("hybrid", "replicated_keys: 2000000000"), HasSubstr("replicated_keys"));
  EXPECT_THAT(refusal("hybrid", "sync_rate: -0.5"), HasSubstr("sync_rate"));
  EXPECT_THAT(refusal("hybrid", "hot_facto: 1"), HasSubstr("hot_factor"));
  EXPECT_EQ(refusal("hybrid", "{hot_factor: 0, replicated_keys: -1, sync_rate: 0}"), "no error");
}

TEST(FullReplicationPlan, ReplicatesEveryKeyWhetherItIsAccessedOrNot) {
  const auto strategy = make("full_replication", "sync_rate: 5");
  const Plan plan = planned(*strategy, 4, {100, 0}, {});
  EXPECT_THAT(plan.replicated, UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_EQ(plan.all_reduce.rounds_per_second, 5.0);
  EXPECT_FALSE(strategy->relocates(0));
  EXPECT_THAT(refusal("full_replication", "hot_factor: 3"), HasSubstr("hot_factor"));
}

class AllReduceOptions : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, AllReduceOptions, testing::Values("hybrid", "full_replication"),
                         [](const auto& strategy) { return strategy.param; });

TEST_P(AllReduceOptions, HaveThePublishedDefaults) {
  const auto strategy = make(GetParam(), "");
  const AllReduce defaults = planned(*strategy, 3, {}, {}).all_reduce;
  EXPECT_EQ(defaults.method, SyncMethod::kButterfly);
  EXPECT_EQ(defaults.threshold, 0.0);
  EXPECT_FALSE(defaults.average);
  EXPECT_EQ(defaults.clip, 0.0);
  EXPECT_TRUE(strategy->guarantees().keeps_replica_sums);
}

TEST_P(AllReduceOptions, AreRead) {
  const auto strategy =
      make(GetParam(), "{sync_method: tree, sync_threshold: 0.5, average: true, clip: 3}");
  const AllReduce read = planned(*strategy, 3, {}, {}).all_reduce;
  EXPECT_EQ(read.method, SyncMethod::kTree);
  EXPECT_EQ(read.threshold, 0.5);
  EXPECT_TRUE(read.average);
  EXPECT_EQ(read.clip, 3.0);
  EXPECT_EQ(planned(*make(GetParam(), "sync_method: owner_hub"), 3, {}, {}).all_reduce.method,
            SyncMethod::kOwnerHub);
  EXPECT_THAT(refusal(GetParam(), "sync_method: ring"), HasSubstr("owner_hub"));
}

TEST_P(AllReduceOptions, SayWhenReplicasDoNotKeepTheSumOfUpdates) {
  for (const char* yaml : {"average: true", "clip: 100"}) {
    EXPECT_FALSE(make(GetParam(), yaml)->guarantees().keeps_replica_sums) << yaml;
  }
  EXPECT_TRUE(make(GetParam(), "sync_threshold: 1")->guarantees().keeps_replica_sums);
}

TEST(StaticPlan, KeepsKeysWhereTheyWerePlaced) {
  const auto strategy = make("static", "");
  const Plan plan = planned(*strategy, 10, {100, 1}, {});
  EXPECT_EQ(plan.placement, Placement::kHash);
  EXPECT_TRUE(plan.fast_local_access);
  EXPECT_FALSE(plan.location_caches);
  EXPECT_THAT(plan.replicated, IsEmpty());
  EXPECT_FALSE(strategy->relocates(0));
  EXPECT_TRUE(strategy->guarantees().reads_own_writes);
}

TEST(StaticPlan, FollowsItsOptions) {
  const Plan plan =
      planned(*make("static", "{placement: range, fast_local_access: false}"), 10, {}, {});
  EXPECT_EQ(plan.placement, Placement::kRange);
  EXPECT_FALSE(plan.fast_local_access);
  EXPECT_THAT(refusal("static", "placement: ranges"), HasSubstr("'range'"));
}

TEST(RelocationPlan, MovesEveryKeyAndReplicatesNone) {
  const auto strategy = make("relocation", "");
  const Plan plan = planned(*strategy, 3, {1000, 1, 1}, {});
  EXPECT_EQ(plan.placement, Placement::kHash);
  EXPECT_TRUE(plan.fast_local_access);
  EXPECT_FALSE(plan.location_caches);
  EXPECT_THAT(plan.replicated, IsEmpty());
  EXPECT_TRUE(strategy->relocates(0));
  EXPECT_TRUE(strategy->guarantees().reads_own_writes);
}

TEST(RelocationPlan, DoesNotPromiseToReadOwnWritesWithLocationCaches) {
  const auto strategy = make("relocation", "{placement: range, location_caches: true}");
  const Plan plan = planned(*strategy, 3, {}, {});
  EXPECT_EQ(plan.placement, Placement::kRange);
  EXPECT_TRUE(plan.location_caches);
  EXPECT_FALSE(strategy->guarantees().reads_own_writes);
}

}  // namespace
}  // namespace pslab
