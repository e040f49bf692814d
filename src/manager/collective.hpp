// Barriers over all workers of the cluster, and what is done while all of them wait. Node 0 is the
// hub: each node tells it when its last worker has arrived; it releases all.
//
// A settle also waits until no update is under way anywhere and all replicas agree: the hub asks
// every node how many pushed keys it has sent and applied and what is still open, until the sums
// say that nothing is (workers cannot start anything new meanwhile, so one consistent answer
// suffices), then has all nodes run replica rounds up to a common target.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/message.hpp"

namespace pslab::manager {

class NodeCore;

enum class Gather : std::uint32_t {
  kBarrier,   ///< wait for all
  kStart,     ///< and resume timed replica rounds
  kSettle,    ///< and pause them, and bring all updates home
  kExchange,  ///< and hand every worker what the hub makes of all workers' numbers
};

/// Makes the result of an exchange from every worker's numbers, in the order of the workers. Runs
/// on node 0.
using Fold = std::function<std::vector<double>(const std::vector<std::vector<double>>&)>;

class Collective {
 public:
  Collective(NodeCore& node, std::uint32_t workers, Fold fold);

  /// A local worker arrives; when the generation changes it is released.
  void arrive(std::uint32_t worker, Gather mode, std::vector<double> numbers);
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  /// Of the last exchange.
  const std::shared_ptr<const std::vector<double>>& result() const { return result_; }

  /// How many workers have arrived here, and at the hub which nodes are still missing; empty:
  /// nobody waits. From inside the node.
  std::string waiting_text() const;

  void receive(Message message);
  void replicas_synced();  ///< this node's replicas have reached the target

 private:
  enum class Step : std::uint32_t { kArrive, kProbe, kReport, kSync, kSynced, kRelease };

  void send(NodeId to, Step step, const std::vector<double>& numbers);
  void broadcast(Step step, const std::vector<double>& numbers);
  void handle(NodeId from, Step step, std::vector<double> numbers);
  void on_arrive(NodeId from, std::vector<double> numbers);
  void on_probe();
  void on_report(const std::vector<double>& numbers);
  void on_synced();
  void probe();
  void probe_again();
  void release();
  void on_release(std::vector<double> numbers);

  NodeCore& node_;
  std::uint32_t workers_;
  Fold fold_;
  Gather mode_ = Gather::kBarrier;
  std::atomic<std::uint64_t> generation_ = 0;
  std::uint32_t arrived_ = 0;
  std::vector<std::vector<double>> local_;  ///< numbers of the local workers
  std::shared_ptr<const std::vector<double>> result_;

  // The hub's.
  NodeId answers_ = 0;
  std::vector<bool> missing_;             ///< by node: not all of its workers have arrived
  std::vector<std::vector<double>> all_;  ///< numbers of all workers
  double in_flight_ = 0.0;                ///< of the answers so far to a probe
  double last_in_flight_ = 0.0;
  double changed_at_ = 0.0;  ///< when the sum of a probe last differed from the one before; seconds
  double probe_delay_ = 0.0;  ///< seconds until the next probe
  double rounds_ = 0.0;
};

}  // namespace pslab::manager
