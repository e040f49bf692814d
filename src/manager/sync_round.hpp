// One node's part of the rounds in which all nodes add up the changes of their replicas: goes
// through the round's steps (sync_steps.hpp) as messages come in. Messages of later steps and
// rounds than this node's wait until it gets there.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "api/message.hpp"
#include "api/strategy.hpp"
#include "manager/deltas.hpp"
#include "manager/sync_steps.hpp"

namespace pslab::manager {

class NodeCore;

class SyncRound {
 public:
  SyncRound(NodeCore& node, const ReplicaLayout& layout, SyncMethod method);

  /// A message that calls other nodes to a round.
  static Message call(std::uint32_t round);
  static bool is_call(const Message& message) { return message.header().worker == kCall; }

  /// Begins with this node's changes. `round`: the next number, the same on all nodes.
  void begin(std::uint32_t round, const Deltas& own);
  /// Keeps a message for its step, of this round or a later one.
  void receive(Message message);
  /// Takes every step whose messages are there. True: the round is over, and sum() that of all.
  bool advance();
  const Deltas& sum() const { return list_; }

 private:
  static constexpr std::uint32_t kCall = ~std::uint32_t{0};        ///< instead of a step
  using Place = std::tuple<std::uint32_t, std::uint32_t, NodeId>;  ///< round, step, sender

  void send(const SyncStep& step);
  void send_list(NodeId to, DeltasView list);
  void split_by_home(const SyncStep& step);
  void take(const Message& message, SyncStep::Take how);

  NodeCore& node_;
  const ReplicaLayout& layout_;
  std::vector<SyncStep> steps_;
  std::uint32_t round_ = 0;
  std::uint32_t step_ = 0;
  bool sent_ = false;      ///< this step's messages are out
  std::size_t taken_ = 0;  ///< messages of this step
  Deltas list_;
  Deltas next_list_;
  std::map<Place, Message> waiting_;
};

}  // namespace pslab::manager
