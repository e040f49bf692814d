// The bound on staleness of strategies with clocks, on histories written by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "checks/history_text.hpp"
#include "tests/unit/checks_story.hpp"

namespace pslab::checks {
namespace {

std::string broken(const std::optional<Violation>& violation) {
  return violation ? std::string(name(violation->rule)) + ": " + violation->what : "nothing";
}

/// Of a strategy whose clocks are two steps long, and whose workers may miss the last `staleness`.
Story story(std::uint32_t staleness, std::uint32_t processes = 1) {
  return Story({.linearizable = false}, {}, processes,
               Clocks{.staleness = staleness, .steps_per_clock = 2});
}

/// Worker 0 pushes once in each of its clocks 0 to 4.
void push_in_five_clocks(Story& story) {
  for (int clock = 0; clock < 5; ++clock) {
    story.push(0, 1);
    story.step(0, 2);
  }
}

struct Case {
  std::uint32_t staleness;
  std::uint32_t clock;  ///< the reader's
  float least;          ///< pushes that it must see
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << "staleness " << one.staleness << ", clock " << one.clock;
}

class AReader : public testing::TestWithParam<Case> {};

TEST_P(AReader, MustSeeAllPushesFromBeforeItsClockMinusTheStaleness) {
  const auto [staleness, clock, least] = GetParam();
  for (const std::uint32_t processes : {1U, 3U}) {
    Story good = story(staleness, processes);
    push_in_five_clocks(good);
    good.step(1, 2 * clock + 1);  // in the middle of its clock
    good.pull(1, 1, {least, 0, 0});
    EXPECT_EQ(broken(good.settled_and_judged()), "nothing");
    if (least == 0) continue;
    Story bad = story(staleness, processes);
    push_in_five_clocks(bad);
    bad.step(1, 2 * clock);
    bad.pull(1, 1, {least - 1, 0, 0});
    EXPECT_THAT(broken(bad.settled_and_judged()), testing::StartsWith("bounded staleness: "));
  }
}

INSTANTIATE_TEST_SUITE_P(All, AReader,
                         testing::Values(Case{0, 0, 0}, Case{0, 1, 1}, Case{0, 4, 4}, Case{1, 1, 0},
                                         Case{1, 2, 1}, Case{1, 4, 3}, Case{3, 3, 0}, Case{3, 4, 1},
                                         Case{9, 4, 0}));

TEST(AStaleRead, IsToldWithTheClocksConcerned) {
  Story bad = story(1);
  push_in_five_clocks(bad);
  bad.step(1, 7);
  bad.pull(1, 1, {1, 0, 0});
  EXPECT_EQ(broken(bad.settled_and_judged()),
            "bounded staleness: worker 1's pull at clock 3 saw 1 pushes of worker 0, who had made "
            "2 before its clock 2; the staleness is at most 1");
}

TEST(AReader, WhoIsTooFarAheadIsFoundByThePushesThatItMisses) {
  Story bad = story(1);
  bad.step(1, 4);
  bad.pull(1, 1, {0, 0, 0});  // at clock 2, while worker 0 still is at clock 0
  bad.push(0, 1);
  EXPECT_THAT(broken(bad.settled_and_judged()), testing::HasSubstr("who had made 1 before its"));
}

TEST(AReader, IsBoundToTheClockAtWhichItAsked) {
  Story good = story(0);
  const Event pull = good.begin_pull(1, 1);
  good.push(0, 1);
  good.step(0, 2);
  good.step(1, 2);
  good.end_pull(1, pull, {0, 0, 0});
  EXPECT_EQ(broken(good.settled_and_judged()), "nothing");
}

TEST(AReader, MustSeeAllPushesFromBeforeABarrier) {
  for (const float seen : {1.0F, 0.0F}) {
    Story of_barrier = story(5);
    of_barrier.push(0, 1);
    of_barrier.barrier();
    of_barrier.push(0, 1);
    of_barrier.pull(1, 1, {seen, 0, 0});
    EXPECT_EQ(broken(of_barrier.settled_and_judged()),
              seen == 1.0F ? "nothing"
                           : "bounded staleness: worker 1's pull at clock 0 after barrier 1 saw 0 "
                             "pushes of worker 0, who had made 1 before its clock 0 after barrier "
                             "1; the staleness is at most 5");
  }
}

TEST(ClocksOfAnEpoch, CountAfterThePushesOfEarlierEpochs) {
  Story two_epochs = story(0);
  push_in_five_clocks(two_epochs);
  EXPECT_EQ(broken(two_epochs.settled_and_judged()), "nothing");
  two_epochs.push(0, 1);
  two_epochs.step(0, 2);
  two_epochs.step(1, 2);
  two_epochs.pull(1, 1, {5, 0, 0});
  EXPECT_THAT(broken(two_epochs.settled_and_judged()),
              testing::HasSubstr("saw 5 pushes of worker 0, who had made 6 before its clock 1"));
}

TEST(EventsForPeople, SayAtWhichClockTheyWere) {
  Story told = story(1);
  told.barrier();
  told.step(0, 5);
  told.push(0, 1);
  EXPECT_EQ(
      events_text(told.epoch(), {.key = 1, .clocks = Clocks{.steps_per_clock = 2}, .most = 9}),
      "  1.000000000 s  worker 0 at clock 2 after barrier 1  push 1\n");
}

}  // namespace
}  // namespace pslab::checks
