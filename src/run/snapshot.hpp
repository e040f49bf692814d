// What a worker has done by some moment, and what came of it in an epoch, as numbers that can
// travel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "run/record.hpp"

namespace pslab::run {

/// A worker's part of an epoch as numbers for the exchange: its times and accesses, then (first
/// worker of a node) the node's counters, how long it took to settle, its clock, and the sums of
/// its task.
class Snapshot {
 public:
  Snapshot(const manager::WorkerCore& core, const manager::Counters& counters) {
    const metrics::WorkerLedger ledger = core.ledger();
    numbers_.push_back(core.now());
    numbers_.insert(numbers_.end(), ledger.seconds.begin(), ledger.seconds.end());
    numbers_.push_back(static_cast<double>(ledger.accesses));
    numbers_.push_back(static_cast<double>(ledger.local_accesses));
    for (const auto count : counters.messages) numbers_.push_back(static_cast<double>(count));
    for (const auto count : counters.bytes) numbers_.push_back(static_cast<double>(count));
    numbers_.push_back(static_cast<double>(counters.relocations));
    numbers_.push_back(static_cast<double>(counters.relocation_conflicts));
    numbers_.push_back(static_cast<double>(counters.sync_rounds));
  }

  /// What changed since `before`; how long it took to settle, and the clock, are to follow.
  std::vector<double> since(const Snapshot& before) const {
    std::vector<double> changes = numbers_;
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i] -= before.numbers_[i];
    // On the clock of the wall, local accesses are sampled and computing is what remains: what is
    // missing was counted too much before.
    double& compute = changes[1 + static_cast<std::size_t>(metrics::Time::kCompute)];
    if (compute < 0.0) {
      changes[1 + static_cast<std::size_t>(metrics::Time::kLocalAccess)] += compute;
      compute = 0.0;
    }
    return changes;
  }

  static constexpr std::size_t kSettle = 1 + metrics::kTimes + 2 + 2 * kMessageKinds + 3;
  static constexpr std::size_t kClock = kSettle + 1;
  static constexpr std::size_t kSize = kClock + 1;

  static double elapsed(const std::vector<double>& changes) { return changes[0]; }
  static double settle(const std::vector<double>& changes) { return changes[kSettle]; }
  static std::uint64_t clock(const std::vector<double>& changes) {
    return static_cast<std::uint64_t>(changes[kClock]);
  }

  static WorkerRecord worker(const std::vector<double>& changes) {
    WorkerRecord record;
    record.time_s = elapsed(changes);
    std::copy_n(changes.begin() + 1, metrics::kTimes, record.seconds.begin());
    record.accesses = static_cast<std::uint64_t>(changes[1 + metrics::kTimes]);
    record.local_accesses = static_cast<std::uint64_t>(changes[2 + metrics::kTimes]);
    return record;
  }

  static NodeRecord node(const std::vector<double>& changes) {
    NodeRecord record;
    std::size_t next = 1 + metrics::kTimes + 2;
    const auto take = [&] { return static_cast<std::uint64_t>(changes[next++]); };
    for (auto& count : record.messages) count = take();
    for (auto& count : record.bytes) count = take();
    record.relocations = take();
    record.relocation_conflicts = take();
    record.sync_rounds = take();
    return record;
  }

 private:
  std::vector<double> numbers_;
};

}  // namespace pslab::run
