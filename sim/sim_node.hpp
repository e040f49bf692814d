// One simulated node: the runtime that its mechanisms see.
#pragma once

#include <simgrid/s4u.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "api/runtime.hpp"
#include "sim/event_queue.hpp"
#include "sim/simulation.hpp"

namespace pslab::sim {

class SimNode;

class SimWorker final : public WorkerRuntime, private Event {
 public:
  explicit SimWorker(SimNode& node) : node_(node), wakeups_(simgrid::s4u::Semaphore::create(0)) {}
  double wait(bool soon) override;
  void notify() override;
  void spend(double seconds) override;
  void meet_at(double time, int epochs) override;
  void poll() override {}
  /// The moment for which it waits in meet_at() has come.
  void meet() { wake(); }

 private:
  void happen() override { wake(); }  ///< the time to spend is over
  void block();
  void wake();

  SimNode& node_;
  simgrid::s4u::SemaphorePtr wakeups_;
  bool notified_ = false;  ///< since the last wait() returned
  bool waiting_ = false;   ///< blocked in wait()
  double resume_at_ = 0.0;
};

class SimNode final : public NodeRuntime, private Event {
 public:
  SimNode(Simulation& simulation, NodeId node, const CostTable& costs, double speed);
  ~SimNode() override;

  NodeId node() const override { return node_; }
  NodeId num_nodes() const override { return simulation_.cluster().nodes; }
  double now() const override { return simulation_.now(); }
  bool threads() const override { return false; }
  void enter() override {}
  void leave() override {}
  bool try_enter() override { return true; }
  void send(NodeId to, Message message, double worker_seconds) override;
  void after(double seconds, std::function<void()> action) override;
  WorkerRuntime& worker(std::uint32_t local_index) override { return *workers_[local_index]; }
  const CostTable& costs() const override { return costs_; }
  double quantum() const override { return simulation_.options().quantum; }
  NodeId nodes_in_process() const override { return num_nodes(); }

  void set_receiver(Receiver& receiver) { receiver_ = &receiver; }
  void set_slowdown(double factor);
  /// The server is about to be needed, for a message or since it is free again.
  void expect() override {
    constexpr std::size_t kCacheLine = 64;
    const char* begin = reinterpret_cast<const char*>(this);
    for (std::size_t i = 0; i < sizeof(SimNode); i += kCacheLine) __builtin_prefetch(begin + i);
  }
  /// A message has arrived: it is handled when the server has done what came before.
  void arrived(Message message);
  void wake_all();
  void meet_all();

  Simulation& simulation() { return simulation_; }
  /// The moment that a running handler has reached; now, outside handlers.
  double handler_time() const { return handling_ ? busy_until_ : now(); }

 private:
  class Timer;
  void happen() override;  ///< the server is free again
  void serve();
  template <typename Work>
  void handle(Work work);

  Simulation& simulation_;
  NodeId node_;
  CostTable base_costs_;
  CostTable costs_;
  Receiver* receiver_ = nullptr;
  std::vector<std::unique_ptr<SimWorker>> workers_;
  std::deque<Message> inbox_;
  double busy_until_ = 0.0;
  bool waiting_ = false;   ///< an event will call serve()
  bool handling_ = false;  ///< a handler of this node is running
  std::vector<std::unique_ptr<Timer>> timers_;
};

}  // namespace pslab::sim
