// Tests of the history checker: a defect, injected from outside, is found by runs of random
// accesses and of matrix factorization, and the rule that it breaks is named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "tests/conformance/history_mutants.hpp"
#include "tests/conformance/history_run.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

/// What the runs say that fail, of 15.
std::vector<std::string> complaints(const std::string& strategy, const std::string& options,
                                    const Mutant& mutant) {
  std::vector<std::string> all;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const std::string config = random_history(strategy, options, seed);
    const std::string result = run_in_child([&] { return perform_history(config, mutant); }).text;
    if (!result.starts_with("ok: ")) all.push_back(result);
  }
  return all;
}

/// What a matrix factorization says.
std::string factorization(const std::string& strategy, const Mutant& mutant) {
  return run_in_child([&] {
           return perform_history(
               "cluster: {nodes: 3, workers_per_node: 2}\n"
               "workload: {rank: 3, dataset: {rows: 60, cols: 20, cells: 600, test_share: 0.1}}\n"
               "train: {epochs: 2}\n"
               "checks: {history: true}\n"
               "strategy: " +
                   strategy,
               mutant);
         })
      .text;
}

auto breaks(const std::string& rule) {
  return HasSubstr("checks.history: '" + rule + "' does not hold in epoch ");
}

// Two of the 15 clusters have one node, on which no message is sent.
auto most_say(const testing::Matcher<std::string>& what) {
  return testing::AllOf(SizeIs(testing::Ge(10)), Each(what));
}

TEST(AMutant, ThatLosesAPushQueuedForAKeyInTransferIsCaught) {
  const Mutant mutant =
      changing(MessageKind::kPush, [](Message& message, run::Training& training, NodeId node) {
        for (const MessageKey& key : message.keys()) {
          const auto holding = training.nodes()[node]->store().find(key.key);
          if (holding.held() != manager::Held::kArriving) continue;
          std::ranges::fill(message.floats(), 0.0F);
        }
      });
  const auto found = complaints("relocation", "{}", mutant);
  EXPECT_THAT(found, most_say(breaks("every update exactly once")));
  EXPECT_THAT(found, Each(HasSubstr(": an update was lost")));
}

TEST(AMutant, ThatLosesReplicaDeltasIsCaught) {
  const Mutant mutant = changing(
      MessageKind::kReplicaDelta,
      [](Message& message, run::Training&, NodeId) { std::ranges::fill(message.floats(), 0.0F); });
  EXPECT_THAT(complaints("hybrid", "{replicated_keys: 6, sync_rate: 20000}", mutant),
              most_say(breaks("every update exactly once")));
  EXPECT_THAT(factorization("{name: hybrid, replicated_keys: 6}", mutant),
              HasSubstr(": an update was lost"));
}

TEST(AMutant, ThatAppliesAPushTwiceIsCaught) {
  const auto found = complaints("static", "{}", doubling(MessageKind::kPush));
  EXPECT_THAT(found, most_say(breaks("every update exactly once")));
  EXPECT_THAT(found, Each(HasSubstr(": an update was applied twice")));
  EXPECT_THAT(factorization("{name: static}", doubling(MessageKind::kPush)),
              HasSubstr(": an update was applied twice"));
}

TEST(AMutant, ThatAppliesAReplicaDeltaTwiceIsCaught) {
  EXPECT_THAT(complaints("hybrid", "{replicated_keys: 6, sync_rate: 20000}",
                         doubling(MessageKind::kReplicaDelta)),
              most_say(HasSubstr(": an update was applied twice")));
}

TEST(AMutant, ThatMovesAnOldValueIsCaught) {
  EXPECT_THAT(complaints("relocation", "{}", replaying(MessageKind::kTransfer, 1.0)),
              most_say(breaks("every update exactly once")));
}

TEST(AMutant, ThatLetsAPullOvertakeAPushIsCaught) {
  const Mutant mutant = overtaking({MessageKind::kPush});
  EXPECT_THAT(complaints("static", "{}", mutant), most_say(breaks("reads own writes")));
  EXPECT_THAT(factorization("{name: static}", mutant), breaks("reads own writes"));
}

TEST(AMutant, ThatAnswersWithAnOldValueIsCaught) {
  const Mutant mutant = replaying(MessageKind::kPullReply, 1.0);
  EXPECT_THAT(complaints("static", "{}", mutant),
              most_say(AnyOf(breaks("reads own writes"), breaks("completed updates are seen"))));
  EXPECT_THAT(factorization("{name: static}", mutant), breaks("reads own writes"));
  // Workers are not promised to read their own writes here.
  EXPECT_THAT(complaints("relocation", "{location_caches: true}", mutant),
              most_say(AnyOf(breaks("monotonic reads"), breaks("completed updates are seen"))));
}

TEST(AMutant, ThatAnswersWithATornValueIsCaught) {
  const Mutant mutant = replaying(MessageKind::kPullReply, 0.5);
  EXPECT_THAT(complaints("static", "{}", mutant), most_say(breaks("whole values")));
  EXPECT_THAT(factorization("{name: static}", mutant), breaks("whole values"));
}

TEST(AMutant, ThatTakesOneReplyForAnotherIsCaught) {
  const Mutant mutant =
      changing(MessageKind::kPullReply, [](Message& message, run::Training& training, NodeId) {
        const auto length = [&](std::size_t i) {
          return training.stored_keys().length(message.keys()[i].key);
        };
        if (message.header().num_keys > 1 && length(0) == length(1)) {
          std::swap(message.keys()[0].tag, message.keys()[1].tag);
        }
      });
  EXPECT_THAT(
      complaints("relocation", "{}", mutant),
      most_say(AnyOf(breaks("reads own writes"), breaks("no update from nowhere"),
                     breaks("completed updates are seen"), breaks("evaluation sees all updates"))));
}

TEST(AMutant, ThatLeavesACopyBehindIsCaught) {
  const Mutant mutant =
      changing(MessageKind::kCollective, [](Message&, run::Training& training, NodeId node) {
        // A copy that nobody needs: of a key that another node owns.
        manager::Store& store = training.nodes()[node]->store();
        if (store.find(0).held() != manager::Held::kAbsent) return;
        store.set(0, store.allocate(0));
      });
  EXPECT_THAT(complaints("static", "{}", mutant),
              most_say(AnyOf(breaks("one owner"), breaks("every update exactly once"))));
}

// Strategies with clocks. Messages begin with a clock.

Mutant without_values(MessageKind kind) {
  return changing(kind, [](Message& message, run::Training&, NodeId) {
    std::ranges::fill(message.floats(), 0.0F);
  });
}

/// Whoever gets a message of a kind takes its sender to be a clock further than it is.
Mutant a_clock_ahead(MessageKind kind) {
  return changing(kind, [](Message& message, run::Training&, NodeId) { ++message.keys()[0].tag; });
}

TEST(AMutant, ThatFlushesNothingIsCaught) {
  EXPECT_THAT(complaints("ssp", "{steps_per_clock: 2}", without_values(MessageKind::kFlush)),
              most_say(HasSubstr(": an update was lost")));
}

TEST(AMutant, ThatForgetsWhatOwnersPushIsCaught) {
  EXPECT_THAT(complaints("essp", "{steps_per_clock: 2}", without_values(MessageKind::kChanges)),
              most_say(AnyOf(breaks("bounded staleness"), breaks("evaluation sees all updates"))));
}

TEST(AMutant, ThatGoesOnAClockTooEarlyIsCaught) {
  EXPECT_THAT(complaints("ssp", "{steps_per_clock: 1}", a_clock_ahead(MessageKind::kFlush)),
              most_say(breaks("bounded staleness")));
  EXPECT_THAT(complaints("essp", "{steps_per_clock: 1}", a_clock_ahead(MessageKind::kChanges)),
              most_say(breaks("bounded staleness")));
}

TEST(AMutant, ThatTakesACopyToBeAClockNewerThanItIsIsCaught) {
  EXPECT_THAT(complaints("ssp", "{steps_per_clock: 1}", a_clock_ahead(MessageKind::kFresh)),
              most_say(breaks("bounded staleness")));
}

/// Remembers where it saw keys, and says nothing of what that costs.
class PromisesTooMuch final : public Strategy {
 public:
  explicit PromisesTooMuch(config::Options& /*options*/) {}
  void plan(const Task& /*task*/, Plan& plan) override { plan.location_caches = true; }
  bool relocates(Key /*key*/) const override { return true; }
};
PSLAB_REGISTER(Strategy, PromisesTooMuch, "promises_too_much", "for tests", "");

TEST(AStrategy, ThatPromisesTooMuchIsCaught) {
  const auto found = complaints("promises_too_much", "{}", {});
  EXPECT_THAT(found, Each(breaks("reads own writes")));
  EXPECT_FALSE(found.empty());
}

TEST(AViolation, IsToldWithTheEventsThatLedToIt) {
  EXPECT_THAT(
      factorization("{name: static}", overtaking({MessageKind::kPush})),
      testing::MatchesRegex(
          "checks.history: 'reads own writes' does not hold in epoch 1: key [0-9]+: worker "
          "[0-9]'s pull saw [0-9]+ of its own pushes; it had made [0-9]+ before.* The last events "
          "on this key of the workers concerned .*:\n"
          "(  .[0-9]+ earlier ones.\n|  [0-9.]+ s  worker [0-9]  (push [0-9]+|pull until [0-9.]+ "
          "s, "
          "saw [^\n]*)\n)*  [0-9.]+ s  worker [0-9]  pull until [0-9.]+ s, saw [^\n]*"));
}

}  // namespace
}  // namespace pslab::test
