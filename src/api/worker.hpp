// The only door between a workload and the parameters: one Worker per training thread (real) or
// actor (sim), used by that thread only.
//
// Keys are the task's; values are float vectors of the key's length, one after the other in the
// order of the keys of a call. A call may name a key twice. All calls may be mixed freely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/pending.hpp"
#include "base/random.hpp"
#include "base/types.hpp"

namespace pslab {

namespace manager {
class WorkerCore;
}
namespace checks {
class Recorder;
}
namespace trace {
class Tracer;
}

class Worker {
 public:
  /// `recorder` notes what is read and written, `tracer` what is called; null: nobody does.
  explicit Worker(manager::WorkerCore& core, checks::Recorder* recorder = nullptr,
                  trace::Tracer* tracer = nullptr)
      : core_(core), recorder_(recorder), tracer_(tracer), watched_(recorder || tracer) {}

  WorkerId id() const;  ///< over the whole cluster
  NodeId node() const;
  WorkerId num_workers() const;  ///< over the whole cluster
  NodeId num_nodes() const;

  /// Reads values; returns when all have arrived. `values` has room for all of them.
  void pull(std::span<const Key> keys, std::span<float> values);
  /// Starts a pull. `keys` and `values` stay valid until the wait.
  Pending pull_async(std::span<const Key> keys, std::span<float> values);
  /// Adds to values. Returns at once; the addition takes effect in the order of this worker's calls
  /// where the strategy guarantees it, and at the latest at the end of the epoch.
  void push(std::span<const Key> keys, std::span<const float> deltas);
  /// As push; complete when every owner has added it.
  Pending push_async(std::span<const Key> keys, std::span<const float> deltas);
  /// Says that these keys would better be owned here. The strategy may ignore it. Returns at once.
  void localize(std::span<const Key> keys);
  /// As localize; complete when the keys have arrived (at once for those that do not move).
  Pending localize_async(std::span<const Key> keys);
  void wait(Pending operation);

  /// This worker goes on to its next clock: a step of its task, such as a data point. The first
  /// clock is 0. Cheap.
  void advance_clock();
  std::uint64_t clock() const;
  /// Says that this worker will access these keys in its clocks `start` to `end` - 1. The strategy
  /// decides what is done about it, and when: localize them at once, say. Returns at once.
  void intent(std::span<const Key> keys, std::uint64_t start, std::uint64_t end);

  /// Whether intents wait until they are due: then tasks announce as early as they can. False: they
  /// are acted on at once, and what is brought here early may have moved on before it is used.
  bool intents_wait() const;

  /// A hint to the processor's caches that this worker will access a key in a few steps. No effect
  /// on results, on simulated time or on what is managed where.
  void prefetch(Key key) const;

  /// The task will need n samples in this worker's clocks `start` to `end` - 1; the pull_sample
  /// calls in these may take up to n.
  void prepare_sample(std::size_t n, std::uint64_t start, std::uint64_t end);
  /// Chooses keys.size() samples and reads their values.
  void pull_sample(std::span<Key> keys, std::span<float> values);

  /// Waits until every worker of the cluster has called it.
  void barrier();

  /// Tells the backend what one step of training costs beyond its accesses: floating-point
  /// operations.
  void compute(double flops);

  /// This worker's random stream for a purpose, the same in every backend and for every strategy.
  Random random(std::string_view purpose, std::uint64_t number = 0) const;

 private:
  void pull_watched(std::span<const Key> keys, std::span<float> values);
  void push_watched(std::span<const Key> keys, std::span<const float> deltas);

  manager::WorkerCore& core_;
  checks::Recorder* recorder_;
  trace::Tracer* tracer_;
  bool watched_;
};

}  // namespace pslab
