#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <stdexcept>
#include <utility>

#include "api/key_space.hpp"
#include "api/message.hpp"
#include "api/registry.hpp"
#include "base/error.hpp"

namespace pslab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(KeySpace, NumbersTheKeysOfItsGroupsOneAfterTheOther) {
  const KeySpace keys({{"rows", 10, 4}, {"columns", 5, 7}});
  EXPECT_EQ(keys.size(), 15U);
  EXPECT_EQ(keys.first(0), 0U);
  EXPECT_EQ(keys.first(1), 10U);
  EXPECT_EQ(keys.first(2), keys.size());
  for (Key key = 0; key < keys.size(); ++key) {
    EXPECT_EQ(keys.group_of(key), key < 10 ? 0U : 1U) << "key " << key;
    EXPECT_EQ(keys.length(key), key < 10 ? 4U : 7U) << "key " << key;
  }
  EXPECT_EQ(keys.total_floats(), 75U);
}

TEST(KeySpace, HasAUniformLengthOnlyWhenAllGroupsShareIt) {
  EXPECT_EQ(KeySpace({{"a", 3, 8}, {"b", 2, 8}}).uniform_length(), 8U);
  EXPECT_EQ(KeySpace({{"a", 3, 8}, {"b", 2, 9}, {"c", 1, 8}}).uniform_length(), 0U);
  const KeySpace uniform({{"a", 3, 8}, {"b", 2, 8}});
  EXPECT_EQ(uniform.length(4), 8U);
  EXPECT_EQ(uniform.group_of(4), 1U);
}

TEST(KeySpace, NoKeyBelongsToAnEmptyGroup) {
  const KeySpace keys({{"none", 0, 1}, {"a", 2, 2}, {"gap", 0, 3}, {"b", 1, 4}, {"end", 0, 5}});
  EXPECT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys.group_of(0), 1U);
  EXPECT_EQ(keys.group_of(1), 1U);
  EXPECT_EQ(keys.group_of(2), 3U);
  EXPECT_EQ(keys.length(2), 4U);
}

TEST(KeySpace, CountsFloatsBeyond32Bits) {
  EXPECT_EQ(KeySpace({{"a", 500'000'000, 1000}}).total_floats(), 500'000'000'000U);
}

TEST(KeySpace, RefusesTasksWithoutKeysWithoutFloatsOrWithTooManyKeys) {
  EXPECT_THAT(error_of([] { KeySpace({}); }), HasSubstr("no keys"));
  EXPECT_THAT(error_of([] { KeySpace({{"a", 0, 3}}); }), HasSubstr("no keys"));
  EXPECT_THAT(error_of([] {
                KeySpace({{"fine", 1, 1}, {"entities", 5, 0}});
              }),
              HasSubstr("'entities'"));
  EXPECT_THAT(error_of([] {
                KeySpace({{"a", kMaxKeys, 1}, {"b", 1, 1}});
              }),
              HasSubstr("'b' adds 1 to " + std::to_string(kMaxKeys)));
  EXPECT_THAT(error_of([] { KeySpace({{"a", ~Key{0}, 1}, {"b", 2, 1}}); }), HasSubstr("'a' adds"));
  EXPECT_EQ(KeySpace({{"a", kMaxKeys, 1}}).size(), kMaxKeys);
}

MessageHeader header_of(std::uint32_t num_keys, std::uint32_t num_floats) {
  MessageHeader header;
  header.kind = MessageKind::kTransfer;
  header.sender = 1;
  header.origin = 2;
  header.worker = 3;
  header.op = 4;
  header.num_keys = num_keys;
  header.num_floats = num_floats;
  return header;
}

TEST(Message, IsAsLargeAsItsHeaderKeysAndFloats) {
  EXPECT_EQ(Message(header_of(0, 0)).size(), 28U);
  EXPECT_EQ(Message(header_of(3, 0)).size(), 28U + 3 * 8);
  EXPECT_EQ(Message(header_of(0, 5)).size(), 28U + 5 * 4);
  EXPECT_EQ(Message(header_of(3, 5)).size(), 28U + 3 * 8 + 5 * 4);
  EXPECT_FALSE(Message(header_of(0, 0)).empty());
  EXPECT_TRUE(Message().empty());
  EXPECT_EQ(Message().size(), 0U);
}

TEST(Message, LaysOutHeaderThenKeysThenFloatsWithoutGaps) {
  Message message(header_of(2, 3));
  message.keys()[0] = {10, 11};
  message.keys()[1] = {20, 21};
  for (std::size_t i = 0; i < 3; ++i) message.floats()[i] = static_cast<float>(i) + 0.5F;
  const auto* bytes = reinterpret_cast<const std::byte*>(&message.header());
  MessageKey second;
  std::memcpy(&second, bytes + 28 + 8, sizeof(second));
  EXPECT_EQ(second.key, 20U);
  EXPECT_EQ(second.tag, 21U);
  float last = 0.0F;
  std::memcpy(&last, bytes + message.size() - sizeof(last), sizeof(last));
  EXPECT_EQ(last, 2.5F);
}

TEST(Message, KeepsWhatItHoldsWhenMoved) {
  Message message(header_of(1, 2));
  message.keys()[0] = {7, 8};
  message.floats()[0] = 1.0F;
  message.floats()[1] = 2.0F;
  const Message moved = std::move(message);
  EXPECT_EQ(moved.header().kind, MessageKind::kTransfer);
  EXPECT_EQ(moved.header().sender, 1U);
  EXPECT_EQ(moved.header().origin, 2U);
  EXPECT_EQ(moved.header().worker, 3U);
  EXPECT_EQ(moved.header().op, 4U);
  EXPECT_TRUE(message.empty());  // NOLINT(bugprone-use-after-move)
  ASSERT_EQ(moved.keys().size(), 1U);
  EXPECT_EQ(moved.keys()[0].tag, 8U);
  EXPECT_THAT(moved.floats(), ElementsAre(1, 2));
}

TEST(Message, EveryKindHasANameOfItsOwn) {
  std::set<std::string> names;
  for (std::size_t kind = 0; kind < kMessageKinds; ++kind) {
    names.insert(name(static_cast<MessageKind>(kind)));
  }
  EXPECT_EQ(names.size(), kMessageKinds);
  EXPECT_STREQ(name(MessageKind::kPull), "pull");
  EXPECT_STREQ(name(MessageKind::kCollective), "collective");
}

struct Toy {
  virtual ~Toy() = default;
  virtual int wheels() const = 0;
};
struct Cart final : Toy {
  int wheels() const override { return 4; }
};

Registry<Toy>::Entry entry(const std::string& name) {
  return {name, "a " + name, "", [](config::Options&) { return std::make_unique<Cart>(); }};
}

TEST(Registry, MakesWhatWasRegisteredUnderAName) {
  Registry<Toy> registry;
  EXPECT_TRUE(registry.add(entry("train")));
  EXPECT_TRUE(registry.add(entry("cart")));
  EXPECT_THAT(registry.names(), ElementsAre("cart", "train"));
  const Registry<Toy>::Entry& found = registry.find("cart", "toy", "");
  EXPECT_EQ(found.summary, "a cart");
  config::Options options(nullptr, "toy");
  EXPECT_EQ(found.make(options)->wheels(), 4);
}

TEST(Registry, RefusesANameThatIsTakenAndKeepsTheFirst) {
  Registry<Toy> registry;
  registry.add(entry("cart"));
  auto second = entry("cart");
  second.summary = "another";
  EXPECT_THROW(registry.add(second), std::logic_error);
  EXPECT_EQ(registry.find("cart", "toy", "").summary, "a cart");
}

TEST(Registry, SaysKindPlaceNearestAndKnownNamesWhenANameIsUnknown) {
  Registry<Toy> registry;
  registry.add(entry("train"));
  registry.add(entry("cart"));
  const auto find = [&](const std::string& name) {
    return error_of([&] { registry.find(name, "toy", "quick.yaml:3: toy.name"); });
  };
  EXPECT_EQ(find("crat"),
            "quick.yaml:3: toy.name: unknown toy 'crat'. Did you mean 'cart'? Known: cart, train.");
  EXPECT_THAT(find("submarine"), Not(HasSubstr("Did you mean")));
  EXPECT_THAT(find("a\x1b"), HasSubstr("'a\\x1b'")) << "control characters do not reach a terminal";
}

}  // namespace
}  // namespace pslab
