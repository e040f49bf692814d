// One node on a process of its own: the runtime that its mechanisms see. Workers are threads; they
// reach values through shared memory, and everything else from inside the node, which one thread at
// a time can be. Whoever is inside may move messages: a worker that waits does so itself, rather
// than wait for another thread to be woken; a worker that computes does so every few accesses; and
// one communication thread does so when no worker does, spinning only while messages come in.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/backend.hpp"
#include "base/random.hpp"
#include "real/options.hpp"
#include "real/transport.hpp"

namespace pslab::real {

class RealNode;

class RealWorker final : public WorkerRuntime {
 public:
  explicit RealWorker(RealNode& node) : node_(node) {}
  double wait(bool soon) override;
  void notify() override;
  void spend(double /*seconds*/) override {}
  void meet_at(double /*time*/, int /*epochs*/) override {}
  void poll() override;
  bool waiting() const { return waiting_.load(std::memory_order_relaxed); }
  bool waiting_for_soon() const { return waiting_for_soon_.load(std::memory_order_relaxed); }

 private:
  void slow_down();
  void give_way(double now);

  RealNode& node_;
  std::atomic<std::uint32_t> notified_ = 0;
  std::atomic<bool> waiting_ = false;
  std::atomic<bool> waiting_for_soon_ = false;
  double slept_at_ = 0.0;    ///< seconds
  double busy_since_ = 0.0;  ///< seconds; for injected slowness
  double owed_ = 0.0;        ///< seconds of it that have not been slept
};

class RealNode final : public NodeRuntime {
 public:
  /// `transport` is null for a node without others.
  RealNode(NodeId node, const ClusterSpec& cluster, const RealOptions& options,
           Transport* transport, const std::atomic<bool>& stop);
  ~RealNode() override;

  NodeId node() const override { return node_; }
  NodeId num_nodes() const override { return cluster_.nodes; }
  double now() const override;
  bool threads() const override { return true; }
  bool torn_reads() const override { return options_.hogwild; }
  void enter() override { mutex_.lock(); }
  void leave() override { mutex_.unlock(); }
  bool try_enter() override;
  void send(NodeId to, Message message, double worker_seconds) override;
  void after(double seconds, std::function<void()> action) override;
  WorkerRuntime& worker(std::uint32_t local_index) override { return *workers_[local_index]; }
  const CostTable& costs() const override { return costs_; }
  double quantum() const override { return 1e300; }
  NodeId nodes_in_process() const override { return 1; }

  void set_receiver(Receiver& receiver) { receiver_ = &receiver; }
  /// Called before this process kills itself, with the reason: an injected failure.
  void set_last_words(std::function<void(const std::string&)> last_words) {
    last_words_ = std::move(last_words);
  }
  /// Waits until all processes of the run have come here; time goes on from `begins_at` seconds.
  void meet(double begins_at);
  /// The communication thread works from now on / no longer.
  void start_communication();
  void stop_communication();

  /// Moves messages and runs what is due, if no other thread is doing so. Whether anything
  /// happened.
  bool try_progress();
  /// The run cannot go on: all workers are told so when they next wait or poll. The first reason
  /// counts.
  void fail(const std::string& reason);
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  std::string reason() const;
  /// Throws RunError if the run has failed.
  void check() const;
  /// How many times as long a worker's work takes now.
  double slowdown() const;
  Health health() const;
  /// A worker goes on, at this time.
  void step(double time) { last_step_.store(time, std::memory_order_relaxed); }

 private:
  struct Timer {
    double due;
    std::uint64_t order;
    std::function<void()> action;
    bool operator<(const Timer& other) const {
      return due != other.due ? due > other.due : order > other.order;
    }
  };
  struct Held {  ///< a message that an injected delay keeps here
    double due;
    Message message;
  };
  void communicate();
  bool progress();
  bool run_timers();
  bool take_own();
  bool release_held();
  void flush();
  void queue(NodeId to, Message message);
  double injected_delay(NodeId to);
  void fail_if_due();

  NodeId node_;
  const ClusterSpec& cluster_;
  RealOptions options_;
  Transport* transport_;
  const std::atomic<bool>& stop_;
  Receiver* receiver_ = nullptr;
  std::function<void(const std::string&)> last_words_;
  CostTable costs_;  ///< zeros: things cost what they cost
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool failures_over_ = false;  ///< those to be injected happened before this run went on
  std::vector<std::unique_ptr<RealWorker>> workers_;

  // Of whoever is inside.
  std::mutex mutex_;
  std::deque<Message> own_;  ///< from this node to itself
  std::vector<std::vector<Message>> outgoing_;
  std::vector<std::size_t> outgoing_bytes_;
  std::vector<std::deque<Held>> held_;
  std::size_t num_held_ = 0;
  std::priority_queue<Timer> timers_;
  std::uint64_t timers_set_ = 0;
  Random delays_;

  std::atomic<std::uint64_t> turns_ = 0;  ///< calls of try_progress() that got inside
  std::atomic<std::uint64_t> loops_ = 0;  ///< of the communication thread
  std::atomic<double> last_step_ = 0.0;   ///< when a worker went on or a message came in
  std::atomic<double> next_timer_ = 1e300;
  std::atomic<bool> failed_ = false;
  mutable std::mutex reason_mutex_;
  std::string reason_;
  std::atomic<bool> closing_ = false;
  std::thread communication_;
};

}  // namespace pslab::real
