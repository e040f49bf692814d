// Tests of the tests: a defect of the management protocol, injected here from outside, must make
// the conformance suite fail for some of its seeds, and for the right reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "tests/conformance/random_program.hpp"
#include "tests/conformance/random_run.hpp"
#include "tests/conformance/tampering.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

Mutant tampering(std::function<void(Message, Receiver&, NodeId, RandomProgram&)> tamper) {
  Mutant mutant;
  mutant.wrap_receiver = [tamper](Receiver& original, NodeId node, Program& program) {
    return std::make_unique<TamperingReceiver>(
        original, [tamper, node, &program](Message message, Receiver& next) {
          tamper(std::move(message), next, node, dynamic_cast<RandomProgram&>(program));
        });
  };
  return mutant;
}

/// What the suite says of the seeds that fail.
std::vector<std::string> complaints(const std::string& strategy, const std::string& options,
                                    const Mutant& mutant) {
  constexpr std::uint64_t kSeeds = 40;
  std::vector<std::string> all;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomRun run = random_run(strategy, options, seed);
    run.mutant = mutant;
    const ChildResult result = run_in_child([&] { return perform(run); }, 10.0);
    if (!result.finished || !result.text.starts_with("ok")) all.push_back(result.text);
  }
  return all;
}

bool any_contains(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

bool arriving(RandomProgram& program, NodeId node, const Message& message) {
  return std::any_of(message.keys().begin(), message.keys().end(), [&](const MessageKey& key) {
    return program.node(node).store().find(key.key).held() == manager::Held::kArriving;
  });
}

TEST(AMutant, ThatLosesAPushQueuedForAKeyInTransferIsCaught) {
  const auto found = complaints(
      "relocation", "{}",
      tampering([](Message message, Receiver& next, NodeId node, RandomProgram& program) {
        if (message.header().kind == MessageKind::kPush && arriving(program, node, message)) {
          std::fill(message.floats().begin(), message.floats().end(), 0.0F);
        }
        next.receive(std::move(message));
      }));
  EXPECT_TRUE(any_contains(found, "initial value plus pushes is"))
      << found.size() << " seeds failed";
}

/// Zeroes instead of the values of messages of a kind.
Mutant without_values(MessageKind kind) {
  return tampering([kind](Message message, Receiver& next, NodeId /*node*/, RandomProgram&) {
    if (message.header().kind == kind) {
      std::fill(message.floats().begin(), message.floats().end(), 0.0F);
    }
    next.receive(std::move(message));
  });
}

TEST(AMutant, ThatLosesWhatWasAddedToCopiesIsCaught) {
  const auto found =
      complaints("adaptive", "{rounds_per_second: 20000}", without_values(MessageKind::kSums));
  EXPECT_TRUE(any_contains(found, "initial value plus pushes is"));
}

TEST(AMutant, ThatDropsAPushMessageIsCaught) {
  const auto found = complaints(
      "relocation", "{}",
      tampering([](Message message, Receiver& next, NodeId node, RandomProgram& program) {
        const bool waited_for = message.header().op != manager::WorkerCore::kNoOperation;
        if (message.header().kind == MessageKind::kPush && !waited_for &&
            arriving(program, node, message)) {
          return;
        }
        next.receive(std::move(message));
      }));
  EXPECT_TRUE(any_contains(found, "pushes to key") || any_contains(found, "were lost"))
      << found.size() << " seeds failed";
}

TEST(AMutant, ThatLeavesAStaleEntryAtTheHomeIsCaught) {
  const auto found = complaints(
      "relocation", "{}",
      tampering([](Message message, Receiver& next, NodeId node, RandomProgram& program) {
        const MessageHeader header = message.header();
        if (header.kind == MessageKind::kLocalize && header.num_keys == 1) {
          for (NodeId other = 0; other < program.num_nodes(); ++other) {
            const auto held = program.node(other).store().find(message.keys()[0].key).held();
            if (held != manager::Held::kOwned || other == node || other == header.origin) continue;
            message.header().kind = MessageKind::kHandOver;
            program.node(node).runtime().send(other, std::move(message), 0.0);
            return;
          }
        }
        next.receive(std::move(message));
      }));
  EXPECT_TRUE(any_contains(found, "does not own the key")) << found.size() << " seeds failed";
}

TEST(AMutant, ThatAppliesAPushTwiceIsCaught) {
  const auto found = complaints(
      "static", "{}", tampering([](Message message, Receiver& next, NodeId, RandomProgram&) {
        if (message.header().kind == MessageKind::kPush) next.receive(copy(message));
        next.receive(std::move(message));
      }));
  EXPECT_FALSE(found.empty());
}

TEST(AMutant, ThatAppliesAReplicaDeltaTwiceIsCaught) {
  const auto found =
      complaints("hybrid", "{replicated_keys: 6, sync_rate: 20000}",
                 tampering([](Message message, Receiver& next, NodeId, RandomProgram&) {
                   if (message.header().kind == MessageKind::kReplicaDelta) {
                     for (float& delta : message.floats()) delta *= 2.0F;
                   }
                   next.receive(std::move(message));
                 }));
  EXPECT_TRUE(any_contains(found, "initial value plus pushes is") ||
              any_contains(found, "who made"))
      << found.size() << " seeds failed";
}

TEST(AMutant, ThatLetsAPullOvertakeAPushIsCaught) {
  const auto found = complaints("static", "{}", overtaking({MessageKind::kPush}));
  EXPECT_TRUE(any_contains(found, "pushes to key")) << found.size() << " seeds failed";
}

TEST(AMutant, ThatLetsALocalizeOvertakeAPushIsCaught) {
  const auto found = complaints("relocation", "{}", overtaking({MessageKind::kPush}));
  EXPECT_TRUE(any_contains(found, "pushes to key")) << found.size() << " seeds failed";
}

TEST(AMutant, ThatTakesOneReplyForAnotherIsCaught) {
  const auto found = complaints(
      "relocation", "{}",
      tampering([](Message message, Receiver& next, NodeId node, RandomProgram& program) {
        const KeySpace& keys = program.node(node).setup().keys;
        if (message.header().kind == MessageKind::kPullReply && message.header().num_keys > 1 &&
            keys.length(message.keys()[0].key) == keys.length(message.keys()[1].key)) {
          std::swap(message.keys()[0].tag, message.keys()[1].tag);
        }
        next.receive(std::move(message));
      }));
  EXPECT_TRUE(any_contains(found, "pushes to key")) << found.size() << " seeds failed";
}

}  // namespace
}  // namespace pslab::test
