// A hub's state of its keys: who has copies and what they do not know yet, in little memory.
#include "manager/hub_states.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace pslab::manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr NodeId kSelf = 0;

class AHub : public testing::Test {
 protected:
  void add(Key key, NodeId from, float delta) { states.add_change(key, from, {&delta, 1}); }
  void grant(Key key, NodeId to, float more) {
    states.set_known(key, to, {&more, 1});
    states.add_node(key, to);
  }
  std::map<std::pair<Key, NodeId>, float> sent() {
    std::map<std::pair<Key, NodeId>, float> all;
    states.send_changes([&](Key key, NodeId to, std::span<const float> news) {
      all[{key, to}] = news[0];
    });
    return all;
  }

  HubStates states{kSelf};
};

TEST_F(AHub, SendsEachCopyWhatTheOthersHaveAdded) {
  states.open(5);
  for (const NodeId node : {1U, 2U}) states.add_node(5, node);
  add(5, 1, 1.0F);
  add(5, 2, 10.0F);
  add(5, kSelf, 100.0F);
  EXPECT_THAT(sent(), ElementsAre(Pair(Pair(5, 1), 110.0F), Pair(Pair(5, 2), 101.0F)));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(AHub, SendsNothingToTheOnlyOneThatAdds) {
  states.open(5);
  states.add_node(5, 1);
  add(5, 1, 1.0F);
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(AHub, DoesNotSendWhatAGrantedCopyContains) {
  states.open(5);
  states.add_node(5, 1);
  add(5, 1, 1.0F);
  grant(5, 2, 10.0F);
  add(5, kSelf, 10.0F);
  add(5, 2, 4.0F);
  EXPECT_THAT(sent(), ElementsAre(Pair(Pair(5, 1), 14.0F)));
}

TEST_F(AHub, ForgetsTheChangesOfAKeyThatCloses) {
  states.open(5);
  states.add_node(5, 1);
  add(5, kSelf, 1.0F);
  states.close(5);
  EXPECT_FALSE(states.contains(5));
  states.open(5);
  states.add_node(5, 2);
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(AHub, KnowsWhoHasCopies) {
  states.open(5);
  states.open(6);
  for (const NodeId node : {3U, 1U, 3U, 2U}) states.add_node(5, node);
  states.add_node(6, 9);
  EXPECT_EQ(states.count_nodes(5), 3U);
  states.remove_node(5, 3);
  states.remove_node(5, 2);
  states.remove_node(5, 7);
  EXPECT_EQ(states.count_nodes(5), 1U);
  EXPECT_EQ(states.first_node(5), 1U);
  EXPECT_EQ(states.first_node(6), 9U);
}

TEST(HubStates, NeedFewBytesForAKey) {
  constexpr Key kKeys = 1'000'000;
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double before = in_use();
  HubStates states(kSelf);
  for (Key key = 0; key < kKeys; ++key) {
    states.open(key);
    for (const NodeId node : {1U, 2U, 3U}) states.add_node(key, node);
  }
  const float delta = 1.0F;
  for (Key key = 0; key < kKeys; ++key) states.add_change(key, 1, {&delta, 1});
  states.send_changes([](Key, NodeId, std::span<const float>) {});
  const double bytes = (in_use() - before) / static_cast<double>(kKeys);
  RecordProperty("bytes_per_key", static_cast<int>(bytes));
  EXPECT_LT(bytes, 80.0)
      << "12, and 8 for each copy and in the index, in vectors that have doubled";
}

}  // namespace
}  // namespace pslab::manager
