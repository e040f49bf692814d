// Replicas of the keys that several nodes are interested in, for as long as they are (AdaPM). The
// home of such a key is its hub: it holds a copy itself, collects what the other copies add, and
// sends each of them what the rest has added. What is moved and what is replicated is decided when
// a node asks for a key: its owner gives it away, or shares it.
//
//   share    owner -> home: this value; I keep a copy, and so shall the node that asked
//   grant    home -> a node that asked: a copy
//   sums     copy -> home, every round: what was pushed here; and that a copy has been dropped
//   changes  home -> copies, every round: what others have pushed
//   offer, accept, transfer or keep: the only node left with a copy becomes the owner. From accept
//            to its answer that node sends no sums of the key, so that nothing crosses the
//            transfer.
//
// A round costs in proportion to what has changed since the last, and sends nothing between nodes
// where nothing has. The published system has the owner as hub and tells homes of relocations
// afterwards; here homes always know owners, so that operations never chase a key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/message.hpp"
#include "api/strategy.hpp"
#include "manager/copies.hpp"
#include "manager/hub_states.hpp"
#include "manager/interests.hpp"
#include "manager/key_table.hpp"
#include "manager/outbox.hpp"

namespace pslab::manager {

class NodeCore;
struct Transfer;

class Hubs {
 public:
  Hubs(NodeCore& node, Copies& copies, const IntentRounds& options);

  /// By a worker of this node, whenever it likes.
  void announce(std::uint32_t worker, std::span<const Key> keys, std::uint64_t start,
                std::uint64_t end) {
    interests_.announce(worker, keys, start, end);
  }

  // Inside the node.
  void start();  ///< rounds, from now on
  void stop();   ///< no longer
  /// All workers of this node have come to the end of an epoch: gives up all copies.
  void settle();
  /// What is not done yet of giving them up, and transfers under way.
  std::size_t open_work() const;

  /// Whether this node, which owns the key, had better share it than give it away.
  bool keeps(Key key) const;
  bool is_hub(Key key) const { return hubs_.contains(key); }
  /// A key that this node owns is wanted by `with`.
  void share(Key key, NodeId with, Outbox& outbox);
  /// At the hub.
  void grant(Key key, NodeId to, Outbox& outbox);
  /// The value of a key that this node has a copy of and becomes the owner of: completes it.
  bool take_over(Key key, std::span<const float> value);

  void on_share(const Message& message, Outbox& outbox);
  void on_grant(const Message& message, Outbox& outbox);
  void on_sums(const Message& message, Outbox& outbox);
  void on_changes(const Message& message);
  void on_offer(const Message& message, Outbox& outbox);
  void on_accept(const Message& message, Outbox& outbox);
  void on_keep(const Message& message);

 private:
  void schedule();
  void round();
  void act_on_intents();
  void end_interest(Key key);
  void send_sums();
  void send_changes();
  void flush();
  std::uint32_t make_copy(Key key, std::span<const float> value);
  std::uint32_t copy_of(Key key) const;
  void drop_copy(Key key);
  void own_to_copy(Key key);
  void receive_sum(Key key, NodeId from, std::span<const float> delta);
  void leave(Key key, NodeId node, Outbox& outbox);
  void offer_if_alone(Key key, Outbox& outbox);
  void dissolve(Key key);
  void resolve(Key key, Transfer& record, std::uint32_t copy);
  MessageHeader header(MessageKind kind) const;

  NodeCore& node_;
  Copies& copies_;
  IntentRounds options_;
  Interests interests_;
  HubStates hubs_;              ///< keys whose home is here and that others have copies of
  KeyTable taking_over_;        ///< accepted, not answered
  std::vector<Key> later_;      ///< dirty copies to look at in the next round
  std::vector<Key> ended_;      ///< interests that have ended, to be acted on in the next round
  std::size_t num_copies_ = 0;  ///< of keys with another home
  bool running_ = false;
  bool settling_ = false;
  std::uint64_t timer_ = 0;  ///< invalidates timers that were set earlier
  Outbox outbox_;            ///< of a round
};

}  // namespace pslab::manager
