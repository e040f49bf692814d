// Tests of the tests: a defect of the management protocol, injected here from outside, must make
// the conformance suite fail for some of its seeds, and for the right reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "tests/conformance/random_program.hpp"
#include "tests/conformance/random_run.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

Message copy(const Message& original) {
  Message twin(original.header());
  std::copy(original.keys().begin(), original.keys().end(), twin.keys().begin());
  std::copy(original.floats().begin(), original.floats().end(), twin.floats().begin());
  return twin;
}

/// Hands messages to `tamper`, which passes on what it likes.
class TamperingReceiver final : public Receiver {
 public:
  using Tamper = std::function<void(Message, Receiver&)>;
  TamperingReceiver(Receiver& original, Tamper tamper)
      : original_(original), tamper_(std::move(tamper)) {}
  void receive(Message message) override { tamper_(std::move(message), original_); }

 private:
  Receiver& original_;
  Tamper tamper_;
};

/// Sends every fifth message of a kind late, so that what was sent after it arrives before it.
class OvertakingRuntime final : public NodeRuntime {
 public:
  OvertakingRuntime(NodeRuntime& original, std::vector<MessageKind> kinds)
      : original_(original), kinds_(std::move(kinds)) {}
  NodeId node() const override { return original_.node(); }
  NodeId num_nodes() const override { return original_.num_nodes(); }
  double now() const override { return original_.now(); }
  bool threads() const override { return original_.threads(); }
  void enter() override { original_.enter(); }
  void leave() override { original_.leave(); }
  void send(NodeId to, Message message, double worker_seconds) override {
    const bool chosen = std::count(kinds_.begin(), kinds_.end(), message.header().kind) != 0;
    if (!chosen || to == node() || ++sent_ % 5 != 0) {
      original_.send(to, std::move(message), worker_seconds);
      return;
    }
    auto late = std::make_shared<Message>(std::move(message));
    original_.after(400e-6, [this, to, late] { original_.send(to, std::move(*late), 0.0); });
  }
  void after(double seconds, std::function<void()> action) override {
    original_.after(seconds, std::move(action));
  }
  WorkerRuntime& worker(std::uint32_t local_index) override {
    return original_.worker(local_index);
  }
  const CostTable& costs() const override { return original_.costs(); }
  double quantum() const override { return original_.quantum(); }
  NodeId nodes_in_process() const override { return original_.nodes_in_process(); }

 private:
  NodeRuntime& original_;
  std::vector<MessageKind> kinds_;
  int sent_ = 0;
};

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

Mutant overtaking(std::vector<MessageKind> kinds) {
  Mutant mutant;
  mutant.wrap_runtime = [kinds](NodeRuntime& original) {
    return std::make_unique<OvertakingRuntime>(original, kinds);
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
