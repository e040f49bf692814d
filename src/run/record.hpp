// What one epoch of a run gave: the one record from which every output is rendered.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/message.hpp"
#include "api/workload.hpp"
#include "checks/checked.hpp"
#include "metrics/ledger.hpp"

namespace pslab::run {

/// One worker's epoch.
struct WorkerRecord {
  double time_s = 0.0;  ///< that the epoch took it: workers are not released at the same moment
  std::array<double, metrics::kTimes>
      seconds{};  ///< indexed by metrics::Time; they add up to time_s
  std::uint64_t accesses = 0;
  std::uint64_t local_accesses = 0;
};

/// One node's epoch, without what evaluation caused.
struct NodeRecord {
  std::array<std::uint64_t, kMessageKinds> messages{};  ///< to other nodes, indexed by MessageKind
  std::array<std::uint64_t, kMessageKinds> bytes{};
  std::uint64_t relocations = 0;
  std::uint64_t relocation_conflicts = 0;
  std::uint64_t sync_rounds = 0;  ///< the same on every node
};

struct EpochRecord {
  int epoch = 0;
  double time_s = 0.0;        ///< training time since the start, evaluation not included
  double epoch_time_s = 0.0;  ///< from the moment when all workers may begin until all have ended
  /// From then until all messages have been handled, all replicas agree, and all workers know.
  double settle_s = 0.0;
  std::vector<Metric> metrics;
  std::vector<WorkerRecord> workers;       ///< by worker
  std::vector<NodeRecord> nodes;           ///< by node
  std::optional<checks::Checked> checked;  ///< of the history; nullopt: it was not
  std::optional<double> oracle_s;          ///< lower bound on epoch_time_s; nullopt: not asked for
};

}  // namespace pslab::run
