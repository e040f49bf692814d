// Intents are acted on when they are due, and forgotten when the clock has passed them.
#include "manager/interests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace pslab::manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Ahead final : public Strategy {
 public:
  explicit Ahead(std::uint64_t clocks) : clocks_(clocks) {}
  void plan(const Task& /*task*/, Plan& /*plan*/) override {}
  std::uint64_t action_window(std::uint64_t /*clocks*/, double& /*expected*/) const override {
    return clocks_;
  }

 private:
  std::uint64_t clocks_;
};

class TwoWorkers : public testing::Test {
 protected:
  void act(std::uint64_t first, std::uint64_t second, std::uint64_t window = 2) {
    begun.clear();
    ended.clear();
    const std::array<std::uint64_t, 2> clocks = {first, second};
    interests.act(clocks, Ahead(window), begun, ended);
  }
  void announce(std::uint32_t worker, std::vector<Key> keys, std::uint64_t start,
                std::uint64_t end) {
    interests.announce(worker, keys, start, end);
  }

  Interests interests{2};
  std::vector<Key> begun;
  std::vector<Key> ended;
};

TEST_F(TwoWorkers, ActWhenAnIntentBeginsWithinTheWindow) {
  announce(0, {7, 8}, 10, 11);
  act(7, 0);
  EXPECT_THAT(begun, IsEmpty());
  act(8, 0);
  EXPECT_THAT(begun, ElementsAre(7, 8));
  EXPECT_TRUE(interests.active(7));
  act(10, 0);
  EXPECT_THAT(ended, IsEmpty());
  act(11, 0);
  EXPECT_THAT(ended, UnorderedElementsAre(7, 8));
  EXPECT_FALSE(interests.active(7));
}

TEST_F(TwoWorkers, ActAtOnceWithAnInfiniteWindow) {
  announce(0, {7}, 1'000'000'000'000, 1'000'000'000'001);
  act(3, 3, ~std::uint64_t{0});
  EXPECT_THAT(begun, ElementsAre(7));
}

TEST_F(TwoWorkers, ForgetWhatHasPassedBeforeItWasActedOn) {
  announce(0, {7}, 1, 5);
  act(5, 0);
  EXPECT_THAT(begun, IsEmpty());
  EXPECT_FALSE(interests.active(7));
}

TEST_F(TwoWorkers, AreInterestedUntilTheLastIntentOfAnyOfThemEnds) {
  announce(0, {7}, 0, 3);
  announce(1, {7}, 0, 9);
  announce(0, {7}, 4, 5);
  act(0, 0);
  EXPECT_THAT(begun, ElementsAre(7));
  act(3, 0);
  EXPECT_THAT(ended, IsEmpty());
  act(5, 9);
  EXPECT_THAT(ended, ElementsAre(7));
}

TEST_F(TwoWorkers, IgnoreAnEmptyInterval) {
  announce(0, {7}, 4, 4);
  act(4, 4);
  EXPECT_THAT(begun, IsEmpty());
}

TEST_F(TwoWorkers, CanBeMadeToForgetEverything) {
  announce(0, {7}, 0, 100);
  announce(1, {8}, 50, 100);
  act(0, 0);
  std::vector<Key> cancelled;
  interests.cancel(cancelled);
  EXPECT_THAT(cancelled, ElementsAre(7));
  act(60, 60);
  EXPECT_THAT(begun, IsEmpty());
}

}  // namespace
}  // namespace pslab::manager
