// What is known of one epoch when it is checked: every pull and push that workers made, what the
// pulls saw, and what all nodes held at the end.
//
// Every value carries counters: component w is the number of pushes by worker w that this copy of
// it contains. So whoever reads a value reads which pushes it reflects. Where they are: Counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace pslab::checks {

/// A float counts exactly up to here.
inline constexpr std::uint32_t kMostPushes = 1U << 24;
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// How a stored value is made up: one counter for each worker, the task's own value, and the number
/// of all pushes. With counters at both ends, a value that was read while it changed shows it.
class Counters {
 public:
  explicit Counters(WorkerId workers) : workers_(workers) {}

  WorkerId workers() const { return workers_; }
  /// Floats that a stored value has beyond the task's.
  std::uint32_t extra() const { return workers_ + 1; }
  template <typename Float>
  std::span<Float> task_part(std::span<Float> stored) const {
    return stored.subspan(workers_, stored.size() - extra());
  }
  /// Appends a stored value's counters, the number of all pushes last.
  void append(std::vector<float>& seen, std::span<const float> stored) const {
    const auto count = static_cast<std::ptrdiff_t>(workers_);
    seen.insert(seen.end(), stored.begin(), stored.begin() + count);
    seen.push_back(stored.back());
  }

 private:
  WorkerId workers_;
};

/// An access of a worker to one key. Order numbers are those of one process: what happened before
/// something else in it has the smaller one.
struct Event {
  enum class Kind : std::uint8_t { kPush, kPull };
  Kind kind = Kind::kPush;
  bool evaluating = false;  ///< after the epoch's updates were brought home
  std::uint32_t key = 0;
  std::uint32_t own_before = 0;  ///< how often this worker had pushed to the key before the call
  std::uint32_t own_after = 0;   ///< and before the end of the wait (pulls)
  std::uint64_t began = 0;       ///< order number of the call, the same for all keys of a call
  std::uint64_t ended = kNever;  ///< of the end of the wait; kNever: nobody waited
  double began_s = 0.0;          ///< the worker's clock at the call
  double ended_s = 0.0;
  std::size_t seen = 0;        ///< where its counters begin in the worker's `seen` (pulls)
  std::uint32_t barriers = 0;  ///< that its worker had been at in the epoch before the call
  std::uint32_t steps = 0;     ///< Worker::advance_clock calls since then
};

/// One worker's epoch.
struct WorkerHistory {
  std::vector<Event> events;              ///< pushes in the order of their calls
  std::vector<float> seen;                ///< see Counters::append
  std::vector<std::uint32_t> pushed;      ///< per key, since the run began
  std::uint64_t complete_until = kNever;  ///< pushes with this order number or a later one may lack
  std::uint64_t pulls = 0;                ///< keys pulled in this epoch
  std::uint64_t pushes = 0;
  std::uint64_t dropped = 0;  ///< of these, not recorded
};

/// What a node held after the epoch's updates were brought home.
struct NodeCopies {
  std::vector<std::uint32_t> keys;
  std::vector<bool> replica;  ///< else the main copy
  std::vector<float> seen;
};

struct EpochHistory {
  std::uint32_t processes = 1;                ///< the workers are spread evenly over them, in order
  std::vector<const WorkerHistory*> workers;  ///< by worker
  std::vector<NodeCopies> nodes;              ///< by node

  std::uint32_t process_of(WorkerId worker) const {
    return static_cast<std::uint32_t>(worker / (workers.size() / processes));
  }
};

}  // namespace pslab::checks
