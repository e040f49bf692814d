// Copies under a bound on their staleness: SSP, where a node refreshes a copy that is too old
// before it reads it, and ESSP, where the owner pushes what has changed to all that ever read it.
//
// Keys stay where they are. A node adds what its workers push to its copies at once, keeps the
// sums, and sends them to the owners when the slowest of its workers goes on to its next clock (a
// flush). An owner knows the last flush of every node; its clock is the smallest of them. A worker
// at clock c goes on only when every push that others made before their clock c - staleness is at
// the owners (SSP) or here (ESSP).
//
// Clocks count on over the whole run: a gathering of all workers flushes everything, and the next
// clock after it is the first of a new generation (the upper 32 bits). Nothing from before a
// gathering is missed after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "api/message.hpp"
#include "api/strategy.hpp"
#include "manager/copies.hpp"
#include "manager/outbox.hpp"

namespace pslab::manager {

class NodeCore;

class ClockSync {
 public:
  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 32;
  /// The first clock after the next gathering.
  static std::uint64_t next_generation(std::uint64_t clock) { return ((clock >> 32) + 1) << 32; }

  ClockSync(NodeCore& node, Copies& copies, const Clocks& options);

  const Clocks& options() const { return options_; }

  /// The oldest stamp that a worker at this clock may read.
  std::uint64_t oldest_for(std::uint64_t clock) const;
  /// Any thread may ask.
  bool may_go_on(std::uint64_t clock) const {
    return reached_.load(std::memory_order_acquire) >= oldest_for(clock);
  }

  // Inside the node:
  std::uint32_t make(Key key);
  /// A worker goes on to this clock; flushes when it was the slowest. wake() must follow when the
  /// messages have been sent.
  void advance(std::uint32_t worker, std::uint64_t clock, Outbox& outbox);
  /// Asks the owner for a value that is at least as new as a worker at `clock` needs.
  void ask(Key key, MessageHeader header, std::uint32_t tag, std::uint64_t clock, Outbox& outbox);

  void wake();
  void on_flush(const Message& message, Outbox& outbox);
  void on_refresh(Message message, Outbox& outbox);
  void on_fresh(const Message& message);
  void on_changes(const Message& message);

 private:
  struct Flush {  ///< what was sent, until the owner says that it has it
    std::uint64_t number;
    std::vector<Key> keys;  ///< ascending
    std::vector<float> sums;
  };
  struct Peer {
    std::uint64_t clock = kFirst;   ///< of its last flush
    std::uint64_t pushed = kFirst;  ///< ESSP: of the last changes that it sent
    std::uint64_t received = 0;     ///< flushes from it
    std::uint64_t sent = 0;         ///< flushes to it
    std::deque<Flush> unconfirmed;
  };
  struct Subscribed {  ///< ESSP, at the owner: a key that others have read
    std::vector<NodeId> nodes;
    std::vector<float> base;                ///< the value when changes were last sent
    std::vector<std::vector<float>> known;  ///< by node: of the changes since, what it has already
  };

  void flush(Outbox& outbox);
  void confirm(Peer& peer, std::uint64_t number);
  void peer_advanced(Outbox& outbox);
  void send_changes(Outbox& outbox);
  void answer(const Message& request, Outbox& outbox);
  void subscribe(NodeId node, Key key, const float* value, std::size_t length);
  void add_unconfirmed(const Peer& peer, std::uint64_t received, Key key, float* value) const;

  NodeCore& node_;
  Clocks options_;
  Copies& copies_;
  std::vector<std::uint64_t> workers_;           ///< clocks of this node's
  std::vector<Peer> peers_;                      ///< by node; this one among them
  std::uint64_t clock_ = kFirst;                 ///< as an owner: the smallest of all peers'
  std::atomic<std::uint64_t> reached_ = kFirst;  ///< what workers may count on
  std::vector<Message> parked_;  ///< SSP: requests that are ahead of the slowest node
  std::unordered_map<Key, Subscribed> subscribed_;
};

}  // namespace pslab::manager
