// How a worker's time is measured on the clock of the wall.
#pragma once

#include <algorithm>

#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

/// On the clock of the wall: what passes while it lives counts as `what`. Simulated time is charged
/// instead.
class WorkerCore::Spent {
 public:
  Spent(WorkerCore& worker, metrics::Time what)
      : worker_(worker), what_(what), began_(worker.threads_ ? worker.now() : 0.0) {}
  ~Spent() {
    if (worker_.threads_) worker_.ledger_[what_] += worker_.now() - began_;
  }
  Spent(const Spent&) = delete;
  Spent& operator=(const Spent&) = delete;

 private:
  WorkerCore& worker_;
  metrics::Time what_;
  double began_;
};

/// Times the local accesses of one call in many, which stands for all of them.
class WorkerCore::Sample {
 public:
  explicit Sample(WorkerCore& worker)
      : worker_(worker),
        began_(worker.threads_ && worker.countdown_ == 0 ? worker.node_.runtime().now() : -1.0) {}
  void end() const {
    if (began_ < 0.0) return;
    const double seconds = worker_.node_.runtime().now() - began_ - worker_.clock_cost_;
    worker_.ledger_[metrics::Time::kLocalAccess] += kCallsPerSample * std::max(0.0, seconds);
  }

 private:
  WorkerCore& worker_;
  double began_;
};

}  // namespace pslab::manager
