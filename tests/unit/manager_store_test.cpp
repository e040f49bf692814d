#include "manager/store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.hpp"

namespace pslab::manager {
namespace {

using Words = std::map<Key, std::uint32_t>;

Words words_of(const KeyIndex& index) {
  Words words;
  index.for_each([&](Key key, Holding holding) {
    EXPECT_TRUE(words.emplace(key, holding.word()).second) << "key " << key << " visited twice";
  });
  return words;
}

void expect_same(const KeyIndex& index, const Words& model, Key num_keys) {
  for (Key key = 0; key < num_keys; ++key) {
    const auto known = model.find(key);
    const std::uint32_t expected = known == model.end() ? Holding().word() : known->second;
    ASSERT_EQ(index.find(key).word(), expected) << "key " << key;
  }
  EXPECT_EQ(words_of(index), model);
}

Holding random_holding(Random& random) {
  return {static_cast<Held>(random.below(3)), static_cast<std::uint32_t>(random.below(1U << 30))};
}

// Phases that fill and empty the index: the table grows, and erasing meets long clusters.
void compare_with_map(bool dense, Key num_keys) {
  KeyIndex index(num_keys, dense);
  Words model;
  Random random(7, "key index", num_keys, dense ? 1 : 0);
  for (const std::uint64_t sets_in_ten : {9, 2, 6, 0, 8}) {
    for (Key step = 0; step < 3 * num_keys; ++step) {
      const Key key = random.below(num_keys);
      if (random.below(10) < sets_in_ten) {
        const Holding holding = random_holding(random);
        index.set(key, holding);
        model[key] = holding.word();
      } else {
        index.erase(key);
        model.erase(key);
      }
      const Key other = random.below(num_keys);
      const auto known = model.find(other);
      ASSERT_EQ(index.find(other).word(), known == model.end() ? Holding().word() : known->second);
    }
    expect_same(index, model, num_keys);
  }
}

TEST(KeyIndex, AgreesWithAMapWhenDense) {
  compare_with_map(true, 1);
  compare_with_map(true, 700);
}

TEST(KeyIndex, AgreesWithAMapWhenHashed) {
  compare_with_map(false, 1);
  compare_with_map(false, 45);  // nearly fills the first table without growing
  compare_with_map(false, 5000);
}

TEST(KeyIndex, HoldsNothingAtFirst) {
  for (const bool dense : {true, false}) {
    const KeyIndex index(100, dense);
    EXPECT_EQ(index.find(99).held(), Held::kAbsent);
    EXPECT_TRUE(words_of(index).empty());
  }
}

TEST(KeyIndex, KeepsTheLargestReferenceOfEveryKindApart) {
  constexpr std::uint32_t kLargest = (1U << 30) - 1;
  for (const Held held : {Held::kOwned, Held::kReplica, Held::kArriving}) {
    const Holding holding(held, kLargest);
    EXPECT_EQ(holding.held(), held);
    EXPECT_EQ(holding.reference(), kLargest);
  }
}

TEST(KeyIndex, FindsTheLargestPossibleKeyWhenHashed) {
  KeyIndex index(kMaxKeys, false);
  index.set(kMaxKeys - 1, Holding(Held::kReplica, 3));
  EXPECT_EQ(index.find(kMaxKeys - 1).held(), Held::kReplica);
  EXPECT_EQ(index.find(0).held(), Held::kAbsent);
  index.erase(kMaxKeys - 1);
  EXPECT_EQ(index.find(kMaxKeys - 1).held(), Held::kAbsent);
}

class StoreTest : public testing::Test {
 protected:
  // Groups "a" and "c" share a length; a value of "huge" is longer than a chunk of the slab.
  const KeySpace keys_{{{"a", 4000, 3}, {"b", 900, 33}, {"c", 500, 3}, {"huge", 3, 20000}}};
  Store store_{keys_, false, false};

  static float mark(Key key, std::size_t i) {
    return static_cast<float>(key) + static_cast<float>(i % 64) / 64.0F;
  }
  float* own(Key key) {
    const Holding owned = store_.allocate(key);
    store_.set(key, owned);
    return store_.value(key, owned);
  }
  void fill(Key key) {
    float* value = own(key);
    for (std::size_t i = 0; i < keys_.length(key); ++i) value[i] = mark(key, i);
  }
  void expect_filled(Key key) {
    const Holding holding = store_.find(key);
    ASSERT_EQ(holding.held(), Held::kOwned) << "key " << key;
    const float* value = store_.value(key, holding);
    for (std::size_t i = 0; i < keys_.length(key); ++i) {
      ASSERT_EQ(value[i], mark(key, i)) << "key " << key << ", component " << i;
    }
  }
};

TEST_F(StoreTest, ValuesOfDifferentLengthsDoNotOverlap) {
  // A stride that is coprime to the number of keys mixes the groups.
  for (Key i = 0; i < keys_.size(); ++i) fill(i * 1009 % keys_.size());
  for (Key key = 0; key < keys_.size(); ++key) expect_filled(key);
}

TEST_F(StoreTest, FreedSlotsAreReusedByKeysOfTheSameLength) {
  std::set<const float*> freed;
  for (Key key = 0; key < 100; ++key) fill(key);
  for (Key key = 10; key < 20; ++key) {
    const Holding holding = store_.find(key);
    freed.insert(store_.value(key, holding));
    store_.remove(key, holding);
    EXPECT_EQ(store_.find(key).held(), Held::kAbsent);
  }
  ASSERT_EQ(freed.size(), 10U);
  const float* longer = own(keys_.first(1));
  EXPECT_FALSE(freed.contains(longer)) << "a longer value does not fit there";
  for (Key i = 0; i < 10; ++i) {
    const Key key = keys_.first(2) + i;
    fill(key);
    EXPECT_EQ(freed.erase(store_.value(key, store_.find(key))), 1U) << "a slot not freed, or twice";
  }
  fill(keys_.first(2) + 10);
  for (Key key = 0; key < 100; ++key) {
    if (key < 10 || key >= 20) expect_filled(key);
  }
  for (Key i = 0; i <= 10; ++i) expect_filled(keys_.first(2) + i);
}

TEST_F(StoreTest, ValuesKeepTheirAddressWhileOthersComeAndGo) {
  const Key stays[] = {0, keys_.first(1), keys_.first(3)};
  std::map<Key, const float*> addresses;
  for (const Key key : stays) {
    fill(key);
    addresses[key] = store_.value(key, store_.find(key));
  }
  for (Key key = 0; key < keys_.size(); ++key) {
    if (!addresses.contains(key)) fill(key);
  }
  for (Key key = 0; key < keys_.size(); key += 2) {
    if (!addresses.contains(key)) store_.remove(key, store_.find(key));
  }
  for (const auto& [key, address] : addresses) {
    EXPECT_EQ(store_.value(key, store_.find(key)), address);
    expect_filled(key);
  }
}

TEST_F(StoreTest, AnArrivingKeyBecomesOwnedWhenItsValueIsInserted) {
  store_.set(5, Holding(Held::kArriving, 77));
  EXPECT_EQ(store_.find(5).held(), Held::kArriving);
  EXPECT_EQ(store_.find(5).reference(), 77U);
  fill(5);
  expect_filled(5);
  store_.set(6, Holding(Held::kReplica, 1));
  store_.erase(6);
  std::vector<Key> held;
  store_.for_each([&](Key key, Holding) { held.push_back(key); });
  EXPECT_EQ(held, std::vector<Key>{5});
}

}  // namespace
}  // namespace pslab::manager
