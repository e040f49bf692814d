#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "manager/deltas.hpp"
#include "manager/sync_steps.hpp"

namespace pslab::manager {
namespace {

using testing::ElementsAre;

constexpr Key kReplicas = 7;

/// Values of one to three floats.
ReplicaLayout layout() {
  return ReplicaLayout(KeySpace({{"one", 3, 1}, {"three", 4, 3}}), {6, 0, 1, 2, 3, 5, 4});
}

std::vector<std::uint32_t> numbers(const Deltas& list) {
  std::vector<std::uint32_t> all;
  for (const MessageKey& number : list.numbers) all.push_back(number.key);
  return all;
}

std::vector<std::uint32_t> bits(const Deltas& list) {
  std::vector<std::uint32_t> all = numbers(list);
  for (const float x : list.floats) all.push_back(std::bit_cast<std::uint32_t>(x));
  return all;
}

TEST(Deltas, OfTwoNodesAreAddedWhereBothHaveThem) {
  const ReplicaLayout keys = layout();
  Deltas a;
  a.append(0, std::vector{1.0F});
  a.append(4, std::vector{1.0F, 2.0F, 3.0F});
  Deltas b;
  b.append(2, std::vector{7.0F});
  b.append(4, std::vector{10.0F, 20.0F, 30.0F});
  b.append(5, std::vector{4.0F, 5.0F, 6.0F});
  Deltas sum;
  add(keys, a.view(), b.view(), sum);
  EXPECT_THAT(numbers(sum), ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(sum.floats, ElementsAre(1, 7, 11, 22, 33, 4, 5, 6));
  add(keys, a.view(), Deltas{}.view(), sum);
  EXPECT_EQ(bits(sum), bits(a));
}

TEST(DeltaClip, LeavesTheFirstThousandAloneAndThenScalesDownToTheFactorTimesTheMean) {
  DeltaClip clip(2.0);
  EXPECT_EQ(clip.scale(0.0), 1.0);
  for (int i = 1; i < 1000; ++i) EXPECT_EQ(clip.scale(i % 2 == 0 ? 0.5 : 2.5), 1.0);
  const double mean = (0.0 + 500 * 2.5 + 499 * 0.5) / 1000;  // 1.4995
  EXPECT_EQ(clip.scale(2.9), 1.0) << "below twice the mean";
  const double mean_after = (1000 * mean + 2.9 + 100.0) / 1002;
  EXPECT_NEAR(clip.scale(100.0), 2.0 * mean_after / 100.0, 1e-12);
}

/// All nodes of a cluster in lock-step.
class Cluster {
 public:
  Cluster(SyncMethod method, NodeId nodes) : lists_(nodes) {
    for (NodeId node = 0; node < nodes; ++node) steps_.push_back(sync_steps(method, node, nodes));
  }

  std::vector<Deltas>& lists() { return lists_; }
  std::size_t num_steps() const { return steps_[0].size(); }
  std::size_t messages() const { return messages_; }

  void run() {
    for (std::size_t step = 0; step < num_steps(); ++step) take(step);
  }

 private:
  Deltas sent(const SyncStep& step, NodeId from, NodeId to) const {
    return step.split_by_home ? part(lists_[from], to) : lists_[from];
  }

  Deltas part(const Deltas& list, NodeId home) const {
    Deltas result;
    const float* delta = list.floats.data();
    for (const MessageKey& number : list.numbers) {
      const std::size_t length = layout_.length(number.key);
      if (number.key % lists_.size() == home) result.append(number.key, {delta, length});
      delta += length;
    }
    return result;
  }

  void take(std::size_t number) {
    std::vector<Deltas> after;
    for (NodeId self = 0; self < lists_.size(); ++self) {
      const SyncStep& step = steps_[self].at(number);
      Deltas list = sent(step, self, self);
      for (const NodeId from : step.from) {
        const SyncStep& other = steps_[from].at(number);
        ASSERT_EQ(std::ranges::count(other.to, self), 1) << from << " sends to " << self;
        const Deltas got = sent(other, from, self);
        Deltas sum = got;
        if (step.take == SyncStep::Take::kAdd) add(layout_, list.view(), got.view(), sum);
        list = std::move(sum);
      }
      for (const NodeId to : step.to) {
        ++messages_;
        ASSERT_EQ(std::ranges::count(steps_[to].at(number).from, self), 1)
            << to << " hears from " << self;
      }
      after.push_back(std::move(list));
    }
    lists_ = std::move(after);
  }

  ReplicaLayout layout_ = layout();
  std::vector<std::vector<SyncStep>> steps_;
  std::vector<Deltas> lists_;
  std::size_t messages_ = 0;
};

class EverySyncMethod : public testing::TestWithParam<SyncMethod> {};

TEST_P(EverySyncMethod, GivesAllNodesTheSameBitsOfTheSum) {
  const ReplicaLayout keys = layout();
  for (NodeId nodes = 1; nodes <= 17; ++nodes) {
    Random random(nodes, "deltas");
    Cluster cluster(GetParam(), nodes);
    std::vector<double> right(keys.total_floats(), 0.0);
    for (Deltas& list : cluster.lists()) {
      for (std::uint32_t number = 0; number < kReplicas; ++number) {
        if (random.below(3) == 0) continue;
        std::vector<float> delta(keys.length(number));
        for (std::size_t i = 0; i < delta.size(); ++i) {
          delta[i] = static_cast<float>(std::exp(4.0 * random.normal()) * random.normal());
          right[keys.begin(number) + i] += double{delta[i]};
        }
        list.append(number, delta);
      }
    }
    cluster.run();
    for (NodeId node = 1; node < nodes; ++node) {
      ASSERT_EQ(bits(cluster.lists()[node]), bits(cluster.lists()[0]))
          << "node " << node << "/" << nodes;
    }
    const Deltas& sum = cluster.lists()[0];
    ASSERT_TRUE(std::ranges::is_sorted(numbers(sum)));
    const float* seen = sum.floats.data();
    for (const MessageKey& number : sum.numbers) {
      for (std::size_t i = 0; i < keys.length(number.key); ++i, ++seen) {
        ASSERT_NEAR(*seen, right[keys.begin(number.key) + i], 1.0) << nodes << " nodes";
      }
    }
  }
}

TEST_P(EverySyncMethod, SendsNothingOnOneNode) {
  for (const SyncStep& step : sync_steps(GetParam(), 0, 1)) {
    EXPECT_TRUE(step.to.empty() && step.from.empty());
  }
}

std::string method_name(const testing::TestParamInfo<SyncMethod>& info) {
  if (info.param == SyncMethod::kButterfly) return "Butterfly";
  return info.param == SyncMethod::kTree ? "Tree" : "OwnerHub";
}
INSTANTIATE_TEST_SUITE_P(All, EverySyncMethod,
                         testing::Values(SyncMethod::kButterfly, SyncMethod::kTree,
                                         SyncMethod::kOwnerHub),
                         method_name);

std::size_t messages(SyncMethod method, NodeId nodes) {
  Cluster cluster(method, nodes);
  cluster.run();
  return cluster.messages();
}

TEST(ASyncMethod, SendsItsNumberOfMessages) {
  EXPECT_EQ(messages(SyncMethod::kButterfly, 8), 8U * 3);
  EXPECT_EQ(messages(SyncMethod::kButterfly, 11), 8U * 3 + 2 * 3);
  for (const NodeId nodes : {1U, 2U, 5U, 8U, 11U}) {
    EXPECT_EQ(messages(SyncMethod::kTree, nodes), 2 * (nodes - 1));
    EXPECT_EQ(messages(SyncMethod::kOwnerHub, nodes), 2 * nodes * (nodes - 1));
  }
}

}  // namespace
}  // namespace pslab::manager
