#include "manager/directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "manager/outbox.hpp"

namespace pslab::manager {
namespace {

using testing::ElementsAre;

struct Size {
  Key keys;
  NodeId nodes;
};
constexpr Size kSizes[] = {{1, 1}, {100, 1}, {12, 4}, {13, 4}, {5, 4}, {3, 4}, {1, 7}, {1001, 16}};

Plan placed(Placement placement, Key keys = 0, NodeId nodes = 1) {
  Plan plan;
  plan.placement = placement;
  if (placement == Placement::kExplicit) {  // not in order, nor as many on every node
    for (Key key = 0; key < keys; ++key) {
      plan.owners.push_back(static_cast<std::uint16_t>(key * key % nodes));
    }
  }
  return plan;
}

class HomeMapTest : public testing::TestWithParam<Placement> {};

TEST_P(HomeMapTest, GivesEveryKeyOneHomeAmongTheNodes) {
  for (const auto& [keys, nodes] : kSizes) {
    const Plan plan = placed(GetParam(), keys, nodes);
    std::vector<Key> found(nodes, 0);
    const HomeMap any(plan, keys, nodes, 0);
    for (Key key = 0; key < keys; ++key) {
      ASSERT_LT(any.home(key), nodes) << keys << " keys, " << nodes << " nodes";
      ++found[any.home(key)];
    }
    Key sum = 0;
    for (NodeId node = 0; node < nodes; ++node) {
      const HomeMap homes(plan, keys, nodes, node);
      EXPECT_EQ(homes.count(), found[node]) << keys << " keys, node " << node << "/" << nodes;
      sum += homes.count();
    }
    EXPECT_EQ(sum, keys);
  }
}

TEST_P(HomeMapTest, FindsEveryKeyAgainByItsHomeAndRank) {
  for (const auto& [keys, nodes] : kSizes) {
    const Plan plan = placed(GetParam(), keys, nodes);
    for (NodeId node = 0; node < nodes; ++node) {
      const HomeMap homes(plan, keys, nodes, node);
      for (Key key = 0; key < keys; ++key) {
        if (homes.home(key) != node) continue;
        ASSERT_LT(homes.rank(key), homes.count());
        ASSERT_EQ(homes.key_at(homes.rank(key)), key);
      }
      for (Key rank = 0; rank < homes.count(); ++rank) {
        const Key key = homes.key_at(rank);
        ASSERT_LT(key, keys);
        ASSERT_EQ(homes.home(key), node);
        ASSERT_EQ(homes.rank(key), rank);
      }
    }
  }
}

std::string placement_name(const testing::TestParamInfo<Placement>& info) {
  if (info.param == Placement::kHash) return "Hash";
  return info.param == Placement::kRange ? "Range" : "Explicit";
}
INSTANTIATE_TEST_SUITE_P(Placements, HomeMapTest,
                         testing::Values(Placement::kHash, Placement::kRange, Placement::kExplicit),
                         placement_name);

TEST(HomeMap, RangeKeepsConsecutiveKeysTogetherAndHashSpreadsThem) {
  const HomeMap range(placed(Placement::kRange), 12, 3, 0);
  const HomeMap hash(placed(Placement::kHash), 12, 3, 0);
  EXPECT_EQ(range.home(0), range.home(3));
  EXPECT_NE(range.home(3), range.home(4));
  EXPECT_NE(hash.home(0), hash.home(1));
  EXPECT_EQ(hash.home(0), hash.home(3));
}

TEST(Directory, KnowsItsOwnKeysAsOwnedHereAtFirst) {
  const Directory directory(HomeMap(placed(Placement::kHash), 10, 3, 1), 10, false);
  for (const Key key : {1U, 4U, 7U}) {
    EXPECT_TRUE(directory.is_home(key));
    EXPECT_EQ(directory.owner(key), 1U);
  }
  EXPECT_FALSE(directory.is_home(0));
  EXPECT_EQ(directory.home(5), 2U);
}

TEST(Directory, WithoutCachesRoutesAndForwardsByHomeOnly) {
  Directory directory(HomeMap(placed(Placement::kHash), 10, 3, 1), 10, false);
  directory.set_owner(4, 2);
  directory.saw(5, 0);  // no cache to remember it in
  EXPECT_EQ(directory.route(4), 2U) << "its home is here and knows the owner";
  EXPECT_EQ(directory.forward(4), 2U);
  EXPECT_EQ(directory.route(7), 1U) << "another key of this home has not moved";
  EXPECT_EQ(directory.route(5), 2U);
  EXPECT_EQ(directory.forward(5), 2U);
}

TEST(Directory, WithCachesRoutesToWhereAKeyWasSeenButNeverForwardsThere) {
  Directory directory(HomeMap(placed(Placement::kHash), 10, 3, 1), 10, true);
  EXPECT_EQ(directory.route(5), 2U) << "not seen yet: its home";
  directory.saw(5, 0);
  EXPECT_EQ(directory.route(5), 0U);
  EXPECT_EQ(directory.forward(5), 2U);
  EXPECT_EQ(directory.route(8), 2U) << "another key was not seen";
  directory.saw(5, 2);
  EXPECT_EQ(directory.route(5), 2U) << "the last place counts";
}

TEST(Directory, PrefersWhatTheHomeKnowsToTheCache) {
  Directory directory(HomeMap(placed(Placement::kRange), 10, 2, 0), 10, true);
  directory.saw(3, 1);
  EXPECT_EQ(directory.route(3), 0U);
}

TEST(Directory, DoesNotRememberToHaveSeenAKeyOnItsOwnNode) {
  Directory directory(HomeMap(placed(Placement::kHash), 10, 3, 1), 10, true);
  directory.saw(5, 0);
  directory.saw(5, 1);
  EXPECT_EQ(directory.route(5), 0U) << "a route to oneself would never arrive";
}

TEST(Directory, OfAnExplicitPlacementKnowsWhereKeysHaveMovedFromTheirHome) {
  Plan plan;
  plan.placement = Placement::kExplicit;
  plan.owners = {1, 0, 1, 1, 2};
  Directory directory(HomeMap(plan, 5, 3, 1), 5, false);
  EXPECT_FALSE(directory.is_home(1));
  EXPECT_EQ(directory.route(4), 2U);
  directory.set_owner(2, 0);
  EXPECT_EQ(directory.route(2), 0U);
  EXPECT_EQ(directory.owner(0), 1U) << "others are still here";
  EXPECT_EQ(directory.owner(3), 1U);
}

MessageHeader header_of(MessageKind kind, std::uint32_t op) {
  MessageHeader header;
  header.kind = kind;
  header.op = op;
  return header;
}

struct Sent {
  NodeId to;
  Message message;
};

std::vector<Sent> flushed(Outbox& outbox) {
  std::vector<Sent> sent;
  outbox.flush([&](NodeId to, Message message) { sent.push_back({to, std::move(message)}); });
  return sent;
}

std::vector<std::uint32_t> tags(const Message& message) {
  std::vector<std::uint32_t> result;
  for (const MessageKey& key : message.keys()) result.push_back(key.tag);
  return result;
}

TEST(Outbox, SendsOneMessagePerDestinationWithKeysAndFloatsInOrder) {
  Outbox outbox;
  const MessageHeader push = header_of(MessageKind::kPush, 1);
  const float values[] = {1, 2, 3, 4, 5};
  outbox.add(2, push, {30, 0}, std::span(values).first(2));
  outbox.add(0, push, {10, 1}, std::span(values).subspan(2, 1));
  outbox.add(2, push, {20, 2}, std::span(values).subspan(3));
  const std::vector<Sent> sent = flushed(outbox);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].to, 2U) << "in the order in which they were begun";
  EXPECT_EQ(sent[1].to, 0U);
  EXPECT_THAT(tags(sent[0].message), ElementsAre(0, 2));
  EXPECT_EQ(sent[0].message.keys()[1].key, 20U);
  EXPECT_THAT(sent[0].message.floats(), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(tags(sent[1].message), ElementsAre(1));
  EXPECT_THAT(sent[1].message.floats(), ElementsAre(3));
}

TEST(Outbox, KeepsMessagesApartWhoseHeadersDiffer) {
  std::vector<MessageHeader> headers(5, header_of(MessageKind::kPull, 1));
  headers[1].kind = MessageKind::kPush;
  headers[2].op = 2;
  headers[3].worker = 1;
  headers[4].origin = 1;
  Outbox outbox;
  for (const std::uint32_t tag : {0U, 1U}) {
    for (const MessageHeader& header : headers) outbox.add(3, header, {7, tag});
  }
  const std::vector<Sent> sent = flushed(outbox);
  ASSERT_EQ(sent.size(), headers.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const MessageHeader& seen = sent[i].message.header();
    EXPECT_EQ(seen.kind, headers[i].kind);
    EXPECT_EQ(seen.op, headers[i].op);
    EXPECT_EQ(seen.worker, headers[i].worker);
    EXPECT_EQ(seen.origin, headers[i].origin);
    EXPECT_THAT(tags(sent[i].message), ElementsAre(0, 1));
  }
}

TEST(Outbox, IsEmptyAfterAFlushAndStartsAfresh) {
  Outbox outbox;
  EXPECT_TRUE(outbox.empty());
  const std::vector<float> many(10000, 1.0F);
  outbox.add(1, header_of(MessageKind::kPush, 1), {4, 0}, many);
  EXPECT_FALSE(outbox.empty());
  EXPECT_EQ(flushed(outbox).at(0).message.floats().size(), many.size());
  EXPECT_TRUE(outbox.empty());
  EXPECT_TRUE(flushed(outbox).empty());
  outbox.add(1, header_of(MessageKind::kPush, 1), {5, 9});
  const std::vector<Sent> again = flushed(outbox);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_THAT(tags(again[0].message), ElementsAre(9));
  EXPECT_EQ(again[0].message.header().num_floats, 0U);
}

}  // namespace
}  // namespace pslab::manager
