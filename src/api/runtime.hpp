// What the mechanisms need from the world: the whole contract between them and a backend. Nothing
// above it knows whether it runs in a simulation or on real processes. Strategies and workloads
// never see it.
#pragma once

#include <functional>

#include "api/message.hpp"
#include "base/costs.hpp"
#include "base/types.hpp"

namespace pslab {

/// A node's side of the network. The runtime calls receive() for one message at a time per node, in
/// the order in which each sender sent them, inside the node (NodeRuntime::enter). It must not
/// block, and may send.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual void receive(Message message) = 0;
  /// A hint: this message will be received soon, after others that are there already.
  virtual void expect(const Message& /*message*/) {}
};

/// A worker's side of time. Called by that worker only, except notify().
class WorkerRuntime {
 public:
  virtual ~WorkerRuntime() = default;
  /// Blocks until notify() was called since the last wait() returned; a notify that came first
  /// counts. Returns the seconds that this worker's clock must still advance to reach the moment of
  /// the notify: what woke it may have taken time itself (always 0 in `real`).
  /// `soon`: what it waits for is asked for and should come in microseconds, if all goes well.
  virtual double wait(bool soon) = 0;
  /// May be called by anything that runs on this worker's node.
  virtual void notify() = 0;
  /// Seconds of work of this worker pass. Simulated time in `sim`; nothing in `real`.
  virtual void spend(double seconds) = 0;
  /// Returns when the run's clock shows `time`, which lies ahead; all workers of the cluster call
  /// it for the same time, and go on in the order of their ids. From then on a simulation knows
  /// nothing of what was before. `epochs` have been trained. `real` has no such moments, and
  /// returns at once.
  virtual void meet_at(double time, int epochs) = 0;
  /// A worker calls it every few accesses: where messages only move when somebody moves them, it
  /// may do so. Not inside the node.
  virtual void poll() = 0;
};

/// One per node.
class NodeRuntime {
 public:
  virtual ~NodeRuntime() = default;
  virtual NodeId node() const = 0;
  virtual NodeId num_nodes() const = 0;
  virtual double now() const = 0;  ///< seconds since the run began
  /// Whether workers are threads, on the clock of the wall; else one thing runs at a time, in
  /// simulated time.
  virtual bool threads() const = 0;
  /// Whether workers may read values without their locks. Only where they are threads.
  virtual bool torn_reads() const { return false; }
  /// Exclusive access to all that the node's mechanisms share but values and their index: handlers
  /// run inside, and workers enter before they touch it. Never held while waiting. Free where
  /// there are no threads.
  virtual void enter() = 0;
  virtual void leave() = 0;
  /// enter(), unless somebody else stays inside for longer than a moment.
  virtual bool try_enter() = 0;
  /// From inside. Asynchronous; messages from this node to `to` arrive in the order of these calls.
  /// `to` may be this node. Never blocks. The processor time of sending: in a handler the server's;
  /// a worker says how many seconds from now it is done with it, and spends them itself.
  virtual void send(NodeId to, Message message, double worker_seconds) = 0;
  /// Runs `action` like a message handler of this node, `seconds` from now.
  virtual void after(double seconds, std::function<void()> action) = 0;
  virtual WorkerRuntime& worker(std::uint32_t local_index) = 0;
  virtual const CostTable& costs() const = 0;  ///< of this node; a slow node's costs are higher
  /// A worker calls spend() at the latest when this much work has accumulated. Seconds.
  virtual double quantum() const = 0;
  /// How many nodes share this process: 1 in `real`, all of them in `sim`.
  virtual NodeId nodes_in_process() const = 0;
};

/// Enters a node for as long as it lives.
class Inside {
 public:
  explicit Inside(NodeRuntime& node) : node_(node) { node_.enter(); }
  ~Inside() { node_.leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  NodeRuntime& node_;
};

}  // namespace pslab
