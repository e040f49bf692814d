#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

using testing::ElementsAreArray;
using testing::UnorderedElementsAreArray;

constexpr std::size_t kGroup = 10;
constexpr std::size_t kUses = 3;
constexpr std::size_t kWindow = kGroup * kUses;
constexpr std::size_t kWindows = 40'000;

std::vector<Key> part(const std::vector<Key>& keys, std::size_t begin, std::size_t size) {
  const auto from = keys.begin() + static_cast<std::ptrdiff_t>(begin);
  return {from, from + static_cast<std::ptrdiff_t>(size)};
}

class Reuse : public testing::TestWithParam<bool> {
 protected:
  Reuse() {
    worker_.context.is_local = [this](Key key) { return locality_.below(10) < 1 + key % 4 * 2; };
  }
  static std::string options() {
    return GetParam() ? "{group: 10, uses: 3, postpone: true}" : "{group: 10, uses: 3}";
  }
  Random locality_{1, "locality"};  // comes and goes, for some keys more than for others
  SamplingWorker worker_{"reuse", options()};
};
INSTANTIATE_TEST_SUITE_P(Scheme, Reuse, testing::Values(false, true), [](const auto& postpone) {
  return postpone.param ? "Postponing" : "InOrder";
});

TEST_P(Reuse, DeclaresWhatItIs) {
  EXPECT_EQ(make_scheme("reuse", options())->conformity(),
            GetParam() ? Conformity::kLongTerm : Conformity::kBounded);
}

TEST_P(Reuse, HandsOutEveryDrawnKeyExactlyAsOftenAsItSays) {
  for (std::size_t window = 0; window < 100; ++window) {
    std::vector<Key> expected;
    const std::vector<Key> handed_out = worker_.rounds(kWindow / 6, 6);
    for (const Key key : part(worker_.drawn, window * kGroup, kGroup)) {
      expected.insert(expected.end(), kUses, key);
    }
    ASSERT_THAT(handed_out, UnorderedElementsAreArray(expected));
  }
  EXPECT_EQ(worker_.drawn.size(), 100 * kGroup);
}

TEST_P(Reuse, UsesAPreparedSampleBeforeThoseOfLaterPreparations) {
  SamplingWorker in_order("reuse", "{group: 10, uses: 3}");
  for (int i = 0; i < 1000; ++i) {
    for (SamplingWorker* worker : {&worker_, &in_order}) {
      worker->prepare(5);
      worker->prepare(0);
      worker->prepare(4);
    }
    for (const std::size_t size : {5U, 4U}) {
      std::vector<Key> taken = worker_.pull(size - 2);
      for (const Key key : worker_.pull(2)) taken.push_back(key);
      ASSERT_THAT(taken, UnorderedElementsAreArray(in_order.pull(size)));
    }
  }
}

TEST_P(Reuse, LocalizesEachGroupWhenItIsDrawnAndAnnouncesWhatIsPrepared) {
  worker_.prepare(3);
  EXPECT_THAT(worker_.localized, ElementsAreArray(worker_.drawn));
  const std::vector<Key> prepared = worker_.announced;
  EXPECT_THAT(worker_.pull(3), UnorderedElementsAreArray(prepared));
  EXPECT_EQ(worker_.localized.size(), kGroup);
  worker_.prepare(kWindow - 3);
  EXPECT_EQ(worker_.drawn.size(), kGroup) << "one relocation serves all uses";
}

TEST_P(Reuse, HasTheFrequenciesOfTheTargetInTheLongRun) {
  const std::vector<Key> keys = worker_.rounds(kWindows * kWindow / 6, 6);
  EXPECT_LT(misfit(keys, target, kUses), kMost);
}

TEST(Reuse, GivesEverySampleTheTargetDistributionInOrder) {
  SamplingWorker worker("reuse", "{group: 10, uses: 3}");
  const std::vector<Key> keys = worker.rounds(kWindows * kWindow / 6, 6);
  for (std::size_t place = 0; place < kWindow; place += 3) {
    EXPECT_LT(misfit(every(keys, place, kWindow), target), kMost) << place;
  }
}

TEST(Reuse, MakesSamplesDependOnTheirGroupOnly) {
  SamplingWorker worker("reuse", "{group: 10, uses: 3}");
  const std::vector<Key> keys = worker.rounds(kWindows * kWindow / 6, 6);
  const auto between = [&](std::size_t first, std::size_t second) {
    return dependence(every(keys, first, 2 * kWindow), every(keys, second, 2 * kWindow));
  };
  EXPECT_GT(between(0, kWindow - 1), kMuch) << "so this can fail";
  EXPECT_GT(between(kGroup - 1, kGroup), kMuch) << "so this can fail";
  EXPECT_LT(between(0, 1), kMost);
  EXPECT_LT(between(kWindow - 1, kWindow), kMost);
  EXPECT_LT(between(0, kWindow), kMost);
  EXPECT_LT(between(5, kWindow + 25), kMost);
}

TEST(Reuse, UsesAGroupInAnotherOrderEveryTime) {
  SamplingWorker worker("reuse", "{group: 200, uses: 3}");
  std::set<std::vector<Key>> orders;
  for (std::size_t use = 0; use < 3; ++use) orders.insert(worker.rounds(1, 200));
  EXPECT_EQ(orders.size(), 3U);
}

TEST(Postponing, BiasesSingleSamplesTowardsWhatIsLocal) {
  SamplingWorker worker("reuse", "{group: 10, uses: 3, postpone: true}");
  worker.context.is_local = [](Key key) { return key % 2 == 0; };
  const std::vector<Key> keys = worker.rounds(kWindows * kWindow / 6, 6);
  EXPECT_GT(misfit(every(keys, 0, kWindow), target), kMuch);
}

TEST(Postponing, MovesAKeyBehindThoseOfItsPreparationOnce) {
  SamplingWorker worker("reuse", "{group: 4, uses: 1, postpone: true}");
  worker.prepare(4);
  const std::vector<Key> drawn = worker.drawn;
  worker.prepare(4);
  // Nothing is local: the first gives way to the second, the third to the fourth.
  EXPECT_EQ(worker.pull(4), (std::vector<Key>{drawn[1], drawn[3], drawn[0], drawn[2]}));
}

TEST(Postponing, LeavesTheOrderAloneWhenAllIsLocal) {
  SamplingWorker worker("reuse", "{group: 4, uses: 1, postpone: true}");
  worker.context.is_local = [](Key) { return true; };
  EXPECT_EQ(worker.rounds(2, 4), worker.drawn);
}

}  // namespace
}  // namespace pslab::test
