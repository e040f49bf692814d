// Stands between a worker of the task and its WorkerCore while a run's history is checked: lets the
// task see its own values, keeps the counters in the stored ones, and notes what was done and seen.
// One per worker, used by that worker only.
//
// It records until its memory is full; then it only counts, until the next epoch.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "api/key_space.hpp"
#include "checks/history.hpp"

namespace pslab::manager {
class WorkerCore;
}

namespace pslab::checks {

class Recorder {
 public:
  /// `keys`: the stored ones. `order`: of the process. `most_bytes`: for the events of an epoch.
  Recorder(Counters counters, const KeySpace& keys, std::atomic<std::uint64_t>& order,
           WorkerId worker, std::uint64_t most_bytes);

  void begin_epoch(const manager::WorkerCore& core);
  void begin_evaluation() { evaluating_ = true; }
  const WorkerHistory& history() const { return history_; }

  // As those of Worker. Operations are WorkerCore's.
  std::uint32_t pull(manager::WorkerCore& core, std::span<const Key> keys, std::span<float> values);
  void pull_now(manager::WorkerCore& core, std::span<const Key> keys, std::span<float> values);
  std::uint32_t push(manager::WorkerCore& core, std::span<const Key> keys,
                     std::span<const float> deltas, bool acknowledged);
  void push_now(manager::WorkerCore& core, std::span<const Key> keys,
                std::span<const float> deltas);
  void wait(manager::WorkerCore& core, std::uint32_t operation);
  void pull_sample(manager::WorkerCore& core, std::span<Key> keys, std::span<float> values);
  void barrier(manager::WorkerCore& core);

 private:
  /// A call that is not over.
  struct Call {
    Event event;                            ///< what the events of all its keys have in common
    std::span<const Key> keys;              ///< of a pull
    std::span<float> values;                ///< the task's
    std::vector<float> stored;              ///< what is pulled
    std::vector<std::uint32_t> own_before;  ///< per position
    std::size_t first_event = 0;            ///< of a push: its first event and how many it has
    std::size_t num_events = 0;
  };
  Call begin(manager::WorkerCore& core, Event::Kind kind);
  void end(manager::WorkerCore& core, Call& call);
  void note_own(Call& call, std::span<const Key> keys);
  void take_pulled(Call& call);
  /// Room for one more event; false: it is dropped.
  bool has_room(bool pull, std::uint64_t order);

  Counters counters_;
  const KeySpace& keys_;
  std::atomic<std::uint64_t>& order_;
  WorkerId worker_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;
  bool evaluating_ = false;
  std::uint32_t barriers_ = 0;      ///< in this epoch
  std::uint64_t last_barrier_ = 0;  ///< the worker's clock then
  WorkerHistory history_;
  std::unordered_map<std::uint32_t, Call> open_;  ///< by operation
  std::vector<float> deltas_;                     ///< of the call that is made
};

}  // namespace pslab::checks
