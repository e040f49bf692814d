// The check of a run's history in one process: makes values longer by their counters, has every
// worker's accesses recorded, and lets the process of node 0 judge each epoch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "api/strategy.hpp"
#include "checks/checked.hpp"
#include "checks/checker.hpp"
#include "checks/history.hpp"
#include "checks/recorder.hpp"

namespace pslab::manager {
class NodeCore;
}

namespace pslab::checks {

/// More workers would make values absurdly long.
inline constexpr WorkerId kMostWorkers = 256;

class HistoryCheck {
 public:
  /// `memory`: bytes for the events of all workers of an epoch. The references must outlive it.
  HistoryCheck(const KeySpace& task_keys, NodeId nodes, std::uint32_t workers_per_node,
               const Plan& plan, const Guarantees& guarantees, std::uint64_t memory);

  /// Bytes that it needs besides those of the events and of longer values, on all nodes together.
  static std::uint64_t bytes(const KeySpace& task_keys, WorkerId workers);
  /// What is stored and sent in place of the task's values.
  const KeySpace& stored_keys() const { return stored_keys_; }
  const Counters& counters() const { return counters_; }

  /// A node of this process, before its workers start.
  void add_node(NodeId node);
  Recorder& recorder(WorkerId worker) { return *recorders_[worker]; }

  /// Notes what a node holds. By one worker of it, after the epoch's updates were brought home.
  void inspect(manager::NodeCore& node);
  /// What a worker must hand over for the check. Empty in the process of node 0.
  std::vector<double> hand_over(WorkerId worker) const;
  /// In the process of node 0, when all workers wait: `handed_over` by each of them. Throws
  /// RunError for a violation; `log` gets the whole history of the key.
  Checked check(const std::vector<std::span<const double>>& handed_over, int epoch,
                const std::function<void(const std::string&)>& log);

 private:
  bool is_here(NodeId node) const { return recorders_[node * workers_per_node_] != nullptr; }
  [[noreturn]] void fail(const Violation& violation, const EpochHistory& history, int epoch,
                         const std::function<void(const std::string&)>& log) const;

  NodeId nodes_;
  std::uint32_t workers_per_node_;
  const Plan& plan_;
  Guarantees guarantees_;
  Counters counters_;
  KeySpace stored_keys_;
  std::uint64_t bytes_per_worker_;
  NodeId nodes_here_ = 0;
  std::atomic<std::uint64_t> order_ = 0;
  std::vector<std::unique_ptr<Recorder>> recorders_;  ///< by worker; null: in another process
  std::vector<NodeCopies> copies_;                    ///< by node
  std::optional<Checker> checker_;                    ///< in the process of node 0
};

}  // namespace pslab::checks
