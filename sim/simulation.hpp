// A simulated cluster: a runtime per node on top of SimGrid. A worker is an actor; a node's server
// is a queue with a busy-until time, served in the kernel, since a server that is an actor costs
// more and one with a lazy clock would be wrong.
//
// A worker's work only adds to its own clock (at most a quantum) until it must meet the others.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "base/random.hpp"
#include "graph/platform.hpp"
#include "sim/event_queue.hpp"
#include "sim/network.hpp"

namespace pslab::sim {

class SimNode;

struct SimOptions {
  bool alpha_beta = false;
  double quantum = 10e-6;     ///< seconds a worker's clock may run ahead
  double stall_limit = 60.0;  ///< simulated seconds without any worker going on
};

/// Carries the first error of a run to its end.
class Simulation {
 public:
  Simulation(const ClusterSpec& cluster, const SimOptions& options, const std::atomic<bool>& stop);
  ~Simulation();

  void execute(Program& program);

  // For nodes and workers.
  const ClusterSpec& cluster() const { return cluster_; }
  const SimOptions& options() const { return options_; }
  EventQueue& events() { return events_; }
  double now() const;
  /// The message leaves after `delay` seconds of the sender's processor time.
  void send(NodeId from, NodeId to, Message message, double delay);
  /// A worker is about to block for WorkerRuntime::meet_at.
  void meet_at(double time, int epochs);
  void progress() { last_progress_ = now(); }
  void check_stall();
  /// The run cannot go on: all workers are told so when they next wait or spend.
  void fail(const std::string& reason);
  bool failed() const { return !error_.empty(); }
  /// Throws RunError if the run has failed or is to stop.
  void check();

 private:
  class Flight;
  /// Messages from one node to another, in the order in which they were sent, that have not landed,
  /// or wait for one before them that has not. Small: there are as many as pairs of nodes.
  struct Pair {
    Flight* first = nullptr;
    Flight* last = nullptr;  ///< if there is a first
  };
  friend class Flight;
  void start_workers(Program& program);
  /// Those from the run's time `from` on, which is now.
  void inject_faults(double from);
  void meet(int epochs);
  void call_at(double time, std::function<void()> action);
  /// Lets all windows of faults.slow_nodes that hold at `time` work on the node.
  void slow_down(NodeId node, double time);
  double injected_delay(NodeId from, NodeId to);
  void landed(Flight& flight);
  void release_in_order(Pair& pair);
  Pair& pair_of(NodeId from, NodeId to);

  ClusterSpec cluster_;
  SimOptions options_;
  const std::atomic<bool>& stop_;
  EventQueue events_;
  graph::Platform platform_;
  std::unique_ptr<Network> network_;
  std::vector<std::unique_ptr<SimNode>> nodes_;
  std::vector<Pair> pairs_;
  std::deque<Flight> flights_;  ///< all there are; the idle ones are in idle_
  std::vector<Flight*> idle_;
  std::vector<std::unique_ptr<Event>> calls_;
  WorkerId meeting_ = 0;  ///< workers that are blocked in meet_at()
  bool faults_injected_ = false;
  Random delays_;
  Program* program_ = nullptr;
  std::string error_;
  std::uint32_t running_workers_ = 0;
  double last_progress_ = 0.0;
};

}  // namespace pslab::sim
