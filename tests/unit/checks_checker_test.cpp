#include "tests/unit/checks_story.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/error.hpp"
#include "checks/history_text.hpp"

namespace pslab::checks {
namespace {

std::string broken(const std::optional<Violation>& violation) {
  return violation ? std::string(name(violation->rule)) + ": " + violation->what : "nothing";
}

#define EXPECT_HOLDS(story) EXPECT_EQ(broken((story).settled_and_judged()), "nothing")
#define EXPECT_BREAKS(story, text) EXPECT_EQ(broken((story).settled_and_judged()), text)

TEST(AHistory, WithoutAnyEventHolds) {
  Story story;
  EXPECT_HOLDS(story);
}

TEST(AHistory, InWhichAllSeeEverythingAtOnceHolds) {
  Story story;
  for (int epoch = 0; epoch < 3; ++epoch) {
    const auto before = static_cast<float>(2 * epoch);
    story.push(0, 1);
    story.pull(1, 1, {before + 1, before, 0});
    story.push_acknowledged(1, 1);
    story.pull(0, 1, {before + 1, before + 1, 0});
    story.push(0, 1);
    story.push(1, 1);
    story.settle();
    story.evaluate(2, 1, {before + 2, before + 2, 0});
    EXPECT_EQ(broken(story.judged()), "nothing") << epoch;
  }
}

TEST(ACopyAfterAnEpoch, MustNotLackAPush) {
  Story story({}, {1});
  story.push(0, 1);
  story.push(0, 1);
  story.settle();
  story.copies(2).seen[0] = 1;
  EXPECT_EQ(broken(story.judged()),
            "every update exactly once: after the epoch the replica on node 2 contains 1 pushes of "
            "worker 0, who has made 2: an update was lost");
}

TEST(ACopyAfterAnEpoch, MustNotContainAPushTwice) {
  Story story;
  story.push(1, 0);
  story.settle();
  story.copies(0).seen[1] = 2;
  EXPECT_EQ(broken(story.judged()),
            "every update exactly once: after the epoch the main copy on node 0 contains 2 pushes "
            "of worker 1, who has made 1: an update was applied twice");
}

TEST(ACopyAfterAnEpoch, MustHaveAllPushesAtItsEndToo) {
  Story story;
  story.push(1, 0);
  story.settle();
  story.copies(0).seen[3] = 0;
  EXPECT_THAT(broken(story.judged()),
              testing::HasSubstr("contains 0 pushes by its second counter; all workers made 1"));
}

TEST(WhatIsWrongOnSeveralKeys, IsCounted) {
  Story story;
  story.push(1, 0);
  story.push(1, 1);
  story.settle();
  story.copies(0).seen.assign(8, 0);
  EXPECT_EQ(story.judged()->keys, 2);
}

TEST(AKey, MustHaveOneOwner) {
  Story story;
  story.add_copy(1, 0, false, {0, 0, 0});
  EXPECT_EQ(broken(story.judged()),
            "one owner: after the epoch it has 2 owners and 0 replicas on 3 nodes; it should have "
            "one owner and no replica");
  Story none;
  none.copies(0) = {};
  EXPECT_THAT(broken(none.judged()), testing::HasSubstr("0 owners and 0 replicas"));
}

TEST(AReplicatedKey, MustBeOnEveryNode) {
  Story story({}, {0});
  story.copies(1) = {};
  EXPECT_THAT(broken(story.judged()), testing::HasSubstr("0 owners and 2 replicas on 3 nodes"));
}

TEST(AReplicatedKeyThatDoesNotKeepSums, MustOnlyBeTheSameOnAllNodes) {
  Story story({.keeps_replica_sums = false}, {0});
  story.push(0, 0);
  story.pull(0, 0, {0, 0, 0});
  story.settle();
  for (NodeId node = 0; node < 3; ++node) story.copies(node).seen[0] = 0.25F;
  EXPECT_EQ(broken(story.judged()), "nothing");
  story.copies(2).seen[0] = 0.5F;
  EXPECT_EQ(broken(story.judged()),
            "replicas agree: after the epoch counter 0 is 0.5 in the replica on node 2 and 0.25 in "
            "that on node 0");
}

TEST(AKeyThatIsNotReplicated, MustKeepSumsWhateverIsSaidOfReplicas) {
  Story story({.keeps_replica_sums = false}, {0});
  story.push(0, 1);
  story.pull(0, 1, {0, 0, 0});
  EXPECT_THAT(broken(story.settled_and_judged()), testing::StartsWith("reads own writes"));
}

TEST(AnEvaluation, MustSeeEverything) {
  Story story;
  story.push(0, 1);
  story.settle();
  story.evaluate(2, 1, {0, 0, 0});
  EXPECT_EQ(
      broken(story.judged()),
      "evaluation sees all updates: worker 2's pull saw 0 pushes of worker 0, who had made 1, "
      "though all updates had been brought home and every copy was right");
}

TEST(APull, MustSeeAWholeValue) {
  Story story;
  story.push(0, 1);
  story.end_torn_pull(1, story.begin_pull(1, 1), {0, 0, 0}, 1);
  EXPECT_BREAKS(story,
                "whole values: worker 1's pull saw none by the counters at the front of the value, "
                "1 pushes by the one at its end: it is of no one state");
}

TEST(APull, MustSeeWholeNumbersOfPushes) {
  Story story;
  story.push(0, 1);
  story.pull(1, 1, {0.5F, 0, 0});
  EXPECT_THAT(broken(story.settled_and_judged()), testing::StartsWith("whole values"));
}

TEST(APull, MustNotSeeAPushThatWasMadeAfterItEnded) {
  Story story;
  story.push(0, 1);
  story.pull(1, 1, {2, 0, 0});
  story.push(0, 1);
  EXPECT_BREAKS(story,
                "no update from nowhere: worker 1's pull saw 2 pushes of worker 0, who had made 1");
}

TEST(APull, MayOfAnotherProcessSeeWhateverWasMadeInTheEpoch) {
  Story story({}, {}, 3);
  story.push(0, 1);
  story.pull(1, 1, {2, 0, 0});
  story.push(0, 1);
  EXPECT_HOLDS(story);
  story.pull(1, 1, {3, 0, 0});
  EXPECT_THAT(broken(story.settled_and_judged()), testing::StartsWith("no update from nowhere"));
}

TEST(APull, MayAfterPushesThatWereNotRecordedSeeWhateverWasMade) {
  Story story;
  story.push(0, 1);
  story.of_worker(0).complete_until = story.now() + 1;
  story.pull(1, 1, {2, 0, 0});
  ++story.of_worker(0).pushed[1];
  EXPECT_HOLDS(story);
}

TEST(APull, MustSeeWhatEarlierEpochsHad) {
  Story story({}, {1});
  story.push(0, 1);
  EXPECT_HOLDS(story);
  story.pull(1, 1, {0, 0, 0});
  EXPECT_BREAKS(story,
                "updates of earlier epochs stay: worker 1's pull saw 0 pushes of worker 0; in "
                "earlier epochs it had made 1");
}

TEST(APull, MustSeeItsWorkersOwnPushes) {
  const auto tell = [](Story& story) {
    story.push(0, 1);
    story.push(0, 1);
    story.pull(0, 1, {1, 0, 0});
  };
  Story promised;
  tell(promised);
  EXPECT_BREAKS(promised,
                "reads own writes: worker 0's pull saw 1 of its own pushes; it had made 2 before");
  Story not_promised({.reads_own_writes = false});
  tell(not_promised);
  EXPECT_HOLDS(not_promised);
}

TEST(APull, MustSeeNoPushThatItsWorkerMadeAfterTheWait) {
  Story story;
  story.pull(0, 1, {1, 0, 0});
  story.push(0, 1);
  EXPECT_THAT(broken(story.settled_and_judged()), testing::StartsWith("no update from nowhere"));
}

TEST(APull, MaySeePushesThatItsWorkerMadeDuringTheWait) {
  for (const float seen : {0.0F, 1.0F}) {
    Story story;
    const Event pull = story.begin_pull(0, 1);
    story.push(0, 1);
    story.end_pull(0, pull, {seen, 0, 0});
    EXPECT_HOLDS(story);
  }
}

TEST(APull, MustNotGoBackBehindAnEarlierOneOfItsWorker) {
  Story story({}, {1});
  story.push(0, 1);
  story.push(2, 1);
  story.pull(1, 1, {1, 0, 1});
  story.pull(1, 1, {1, 0, 0});
  EXPECT_BREAKS(
      story,
      "monotonic reads: worker 1's pull saw 0 pushes of worker 2; a pull of worker 1 that "
      "had ended before, at 4.000000000 s, saw 1");
}

TEST(PullsThatOverlap, MayComeInEitherOrder) {
  Story story;
  story.push(0, 1);
  const Event early = story.begin_pull(1, 1);
  story.pull(1, 1, {1, 0, 0});
  story.end_pull(1, early, {0, 0, 0});
  EXPECT_HOLDS(story);
}

TEST(PullsOfSeveralWorkers, MustSeePushesInOneOrder) {
  const auto tell = [](Story& story) {
    story.push(0, 1);
    story.push(2, 1);
    const Event one = story.begin_pull(0, 1);
    const Event other = story.begin_pull(1, 1);
    story.end_pull(0, one, {1, 0, 0});
    story.end_pull(1, other, {0, 0, 1});
  };
  Story promised;
  tell(promised);
  EXPECT_BREAKS(promised,
                "one order of updates per key: worker 1's pull saw 1 of w2, that of worker 0 until "
                "5.000000000 s saw 1 of w0: neither can have come first");
  Story other_processes({}, {}, 3);
  tell(other_processes);
  EXPECT_THAT(broken(other_processes.settled_and_judged()), testing::StartsWith("one order"));
  Story not_promised({.linearizable = false});
  tell(not_promised);
  EXPECT_HOLDS(not_promised);
  Story replicated({}, {1});
  tell(replicated);
  EXPECT_HOLDS(replicated);
}

TEST(APull, MustSeeWhatAnotherWorkerSawBeforeItBegan) {
  const auto tell = [](Story& story) {
    story.push(0, 1);
    story.pull(1, 1, {1, 0, 0});
    story.pull(2, 1, {0, 0, 0});
  };
  Story promised;
  tell(promised);
  EXPECT_BREAKS(promised,
                "completed updates are seen: worker 2's pull saw 0 pushes of worker 0; a pull of "
                "worker 1 that had ended before, at 3.000000000 s, saw 1");
  Story other_processes({}, {}, 3);
  tell(other_processes);
  EXPECT_HOLDS(other_processes);
  Story replicated({}, {1});
  tell(replicated);
  EXPECT_HOLDS(replicated);
}

TEST(APull, MustSeeWhatWasAcknowledgedBeforeItBegan) {
  Story story({.reads_own_writes = false});
  story.push_acknowledged(0, 1);
  story.pull(1, 1, {0, 0, 0});
  EXPECT_BREAKS(story,
                "completed updates are seen: worker 1's pull saw 0 pushes of worker 0; 1 had been "
                "acknowledged before, at 2.000000000 s");
}

TEST(APull, NeedNotSeePushesOfOthersThatNobodyWaitedFor) {
  Story story;
  story.push(0, 1);
  story.pull(1, 1, {0, 0, 0});
  EXPECT_HOLDS(story);
}

TEST(OfSeveralViolations, TheOneThatShowedFirstIsTold) {
  Story story;
  story.push(0, 0);
  story.push(1, 1);
  story.pull(1, 1, {0, 0, 0});
  story.pull(0, 0, {0, 0, 0});
  story.settle();
  const auto violation = story.judged();
  EXPECT_EQ(violation->key, 1);
  EXPECT_EQ(violation->keys, 2);
  EXPECT_THAT(violation->workers, testing::ElementsAre(1));
}

TEST(PushesThatAFloatCannotCount, AreRefused) {
  Story story;
  story.of_worker(0).pushed[1] = kMostPushes;
  story.of_worker(1).pushed[1] = 1;
  EXPECT_THROW(story.judged(), RunError);
}

TEST(EventsForPeople, AreInOrderOfTimeAndBounded) {
  Story story;
  story.push(0, 1);
  story.push(0, 0);
  story.push_acknowledged(2, 1);
  story.pull(1, 1, {1, 0, 1});
  EXPECT_EQ(events_text(story.epoch(), {.key = 1, .most = 10}),
            "  1.000000000 s  worker 0  push 1\n"
            "  3.000000000 s  worker 2  push 1, acknowledged at 4.000000000 s\n"
            "  5.000000000 s  worker 1  pull until 6.000000000 s, saw 1 of w0, 1 of w2\n");
  EXPECT_EQ(events_text(story.epoch(), {.key = 1, .workers = {0, 1}, .most = 1}),
            "  (1 earlier ones)\n"
            "  5.000000000 s  worker 1  pull until 6.000000000 s, saw 1 of w0, 1 of w2\n");
}

TEST(EventsForPeople, EndWithWhatShowsTheViolation) {
  Story story;
  story.push(0, 1);
  story.pull(0, 1, {0, 0, 0});
  story.push(0, 1);
  story.evaluate(0, 1, {2, 0, 0});
  const std::string until =
      "  1.000000000 s  worker 0  push 1\n"
      "  2.000000000 s  worker 0  pull until 3.000000000 s, saw none\n";
  EXPECT_EQ(events_text(story.epoch(), {.key = 1, .until_s = 3.0, .most = 10}), until);
  EXPECT_EQ(events_text(story.epoch(), {.key = 1, .evaluation = false, .most = 10}),
            until + "  4.000000000 s  worker 0  push 2\n");
}

}  // namespace
}  // namespace pslab::checks
