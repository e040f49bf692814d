// Defects to inject into what a node receives and sends.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "api/runtime.hpp"
#include "tests/conformance/random_run.hpp"

namespace pslab::test {

inline Message copy(const Message& original) {
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
  bool torn_reads() const override { return original_.torn_reads(); }
  void enter() override { original_.enter(); }
  void leave() override { original_.leave(); }
  bool try_enter() override { return original_.try_enter(); }
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

/// Pushes (or what else) that are overtaken by what is sent after them.
inline Mutant overtaking(std::vector<MessageKind> kinds) {
  Mutant mutant;
  mutant.wrap_runtime = [kinds](NodeRuntime& original) {
    return std::make_unique<OvertakingRuntime>(original, kinds);
  };
  return mutant;
}

}  // namespace pslab::test
