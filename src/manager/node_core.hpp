// One node's mechanisms: its parameter store, its part of the directory, keys in transfer,
// replicas, and the handlers of messages from other nodes. Decides nothing: what is moved or
// replicated is in the Plan.
//
// Handlers and this node's workers share this object. Handlers never block, and run inside the node
// (NodeRuntime::enter). Workers enter it for everything but reading and adding to values that are
// held here, which need only the key's lock; a word of the index changes inside and under the lock,
// so that either of them is enough to read it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "api/key_space.hpp"
#include "api/runtime.hpp"
#include "api/sampling.hpp"
#include "api/strategy.hpp"
#include "manager/clock_sync.hpp"
#include "manager/collective.hpp"
#include "manager/directory.hpp"
#include "manager/hubs.hpp"
#include "manager/key_locks.hpp"
#include "manager/outbox.hpp"
#include "manager/replicas.hpp"
#include "manager/store.hpp"
#include "manager/transfers.hpp"
#include "manager/values.hpp"
#include "metrics/ledger.hpp"

namespace pslab::manager {

class WorkerCore;
using Counters = metrics::NodeCounters<kMessageKinds>;

/// What nodes begin with: the initial values at the homes of their keys, or what a checkpoint
/// holds.
struct Start {
  int epochs = 0;                           ///< that have been trained before
  std::span<const std::uint16_t> owners{};  ///< by key; empty: their homes
  std::vector<std::uint64_t> clocks{};      ///< by worker; empty: 0
};
inline const Start kUntrained{};

/// The same on every node of a run. The references must outlive the nodes.
struct Setup {
  const KeySpace& keys;
  const Plan& plan;
  const Strategy& strategy;
  std::uint32_t workers_per_node;
  std::function<void(Key, std::span<float>)> initial_value;
  Fold fold;
  /// On every node: what an exchange gave, before any worker goes on.
  std::function<void(const std::vector<double>&)> exchanged = [](const auto&) {};
  std::uint64_t seed = 0;
  const SamplingScheme* scheme = nullptr;        ///< null: the task does not sample
  std::function<Key(Random&)> draw_sample = {};  ///< from the task's target distribution
  const Start* start = &kUntrained;
};

class NodeCore final : public Receiver {
 public:
  NodeCore(const Setup& setup, NodeRuntime& runtime);
  ~NodeCore() override;

  /// Begins anew, as setup().start says now. Nothing may be under way, and no worker use this
  /// object: they find new worker() objects. Counters and gatherings go on.
  void restart();

  void receive(Message message) override;
  void expect(const Message& message) override;

  NodeId node() const { return self_; }
  NodeId num_nodes() const { return num_nodes_; }
  const Setup& setup() const { return setup_; }
  NodeRuntime& runtime() { return runtime_; }
  WorkerCore& worker(std::uint32_t local_index) { return *workers_[local_index]; }
  Store& store() { return *store_; }
  Directory& directory() { return *directory_; }
  Transfers& transfers() { return *transfers_; }
  Replicas& replicas() { return *replicas_; }
  Collective& collective() { return collective_; }
  Counters& counters() { return counters_; }
  Copies* copies() { return copies_.get(); }     ///< null: all copies are Replicas
  Hubs* hubs() { return hubs_.get(); }           ///< null: intents are localizes
  ClockSync* clocks() { return clocks_.get(); }  ///< null: copies have no clocks
  /// As they were when the last gathering of all workers ended: the same moment on all nodes as far
  /// as messages go. A worker may read them between two gatherings.
  const Counters& released_counters() const { return released_counters_; }

  /// Counts and sends. `worker_seconds`: see NodeRuntime::send.
  void transmit(NodeId to, Message message);
  /// A message of a worker that has been sending for so many seconds; returns those until it has
  /// sent this one too.
  double transmit_for_worker(NodeId to, Message message, double seconds);

  const KeyLocks& locks() const { return locks_; }
  KeyLocks::Guard lock(Key key) const { return locks_.lock(key); }

  /// A hint to the processor's caches. Any thread may call it.
  void prefetch(Key key);

  // For workers of this node, inside.
  /// Queues an access by a local worker to a key that is on its way here.
  void queue_access(std::uint32_t transfer, const QueuedAccess& access,
                    std::span<const float> delta);
  /// Opens a transfer record for an absent key and asks for the key; messages go to `outbox`.
  std::uint32_t request(Key key, Outbox& outbox);
  void count_pushed(std::size_t keys) { pushes_in_flight_ += static_cast<std::int64_t>(keys); }
  void count_applied(std::size_t keys) { pushes_in_flight_ -= static_cast<std::int64_t>(keys); }

  // For the hubs.
  /// Performs what has waited for a key that has come here. Under the key's lock, or before the key
  /// is in the store.
  void serve_queue(Key key, const Transfer& record, Holding here);
  void complete_localizers(const Transfer& record);
  [[noreturn]] void broken(const char* what, Key key) const;

  // For the collective.
  std::int64_t pushes_in_flight() const { return pushes_in_flight_; }
  std::size_t open_work() const;
  void replicas_synced() { collective_.replicas_synced(); }
  /// Runs `action` like a message handler, unless the node begins anew before.
  void after(double seconds, std::function<void()> action);
  void keep_counters() { released_counters_ = counters_; }
  void wake_workers();

  /// Adds a value's change to a key that is held here. Under the key's lock.
  void add(Key key, Holding holding, const float* delta, std::size_t length) {
    if (holding.held() == Held::kReplica && copies_ != nullptr) {
      return copies_->add(setup_.workers_per_node, key, holding.reference(), delta, length);
    }
    add_value(value(key, holding), delta, length);
    if (holding.held() == Held::kReplica) replicas_->mark_changed(holding.reference());
  }
  float* value(Key key, Holding holding) {
    if (holding.held() != Held::kReplica) return store_->value(key, holding);
    return copies_ == nullptr ? replicas_->value(holding.reference())
                              : copies_->value(key, holding.reference());
  }

 private:
  /// Fills in what is known only now, and counts the message.
  void complete(NodeId to, Message& message);
  void receive_for_copies(Message message);
  void on_pull(const Message& message);
  void on_pull_reply(const Message& message);
  void on_push(const Message& message);
  void on_push_ack(const Message& message);
  void on_localize(const Message& message);
  void on_hand_over(const Message& message);
  void on_transfer(const Message& message);

  NodeId forward_to(Key key, NodeId sender) const;
  void arrive(Key key, std::span<const float> value);
  void give_away(Key key, NodeId to);
  void reply_with_value(NodeId to, const MessageHeader& header, MessageKey key, Holding holding);
  void answer_pull(const Asker& asker, Key key, const float* value, std::size_t length);
  void acknowledge(const Asker& asker, Key key);
  void flush();
  void build();
  void initialise_values();
  void initialise_owned(Key key);

  Setup setup_;
  NodeRuntime& runtime_;
  NodeId self_;
  NodeId num_nodes_;
  KeyLocks locks_;
  // Made anew by restart().
  std::optional<Store> store_;
  std::optional<Directory> directory_;
  std::optional<Transfers> transfers_;
  std::optional<Replicas> replicas_;
  std::unique_ptr<Copies> copies_;
  std::unique_ptr<ClockSync> clocks_;
  std::unique_ptr<Hubs> hubs_;
  std::shared_ptr<const int> life_;  ///< ends when the node begins anew

  Collective collective_;
  Counters counters_;
  Counters released_counters_;
  Outbox outbox_;  ///< of the handler that is running
  std::int64_t pushes_in_flight_ =
      0;  ///< keys pushed by this node's workers to others, minus those added here
  std::vector<std::unique_ptr<WorkerCore>> workers_;
};

}  // namespace pslab::manager
