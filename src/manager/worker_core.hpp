// A worker's side of the mechanisms: serves what is here, asks other nodes for the rest, keeps the
// worker's clock and the ledger of where its time goes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "api/runtime.hpp"
#include "api/sampling.hpp"
#include "manager/collective.hpp"
#include "manager/key_index.hpp"
#include "manager/local_access.hpp"
#include "manager/operations.hpp"
#include "manager/outbox.hpp"
#include "metrics/ledger.hpp"

namespace pslab::manager {

class ClockSync;
class Copies;
class NodeCore;

class WorkerCore {
 public:
  static constexpr std::uint32_t kNoOperation = ~std::uint32_t{0};
  /// Of this many calls one is timed, and lets messages move. Odd: so that it is a pull as often as
  /// a push.
  static constexpr std::uint32_t kCallsPerSample = 127;

  WorkerCore(NodeCore& node, std::uint32_t local_index);

  NodeCore& node() { return node_; }
  WorkerId id() const;
  std::uint32_t local_index() const { return local_index_; }

  /// Each returns the operation to wait for, or kNoOperation when it is complete.
  std::uint32_t pull(std::span<const Key> keys, std::span<float> values) {
    if (recent_pulls_ != 0) [[unlikely]]
      remember(keys);
    return access(keys, values.data(), true);
  }
  /// Returns when all have arrived.
  void pull_now(std::span<const Key> keys, std::span<float> values) {
    if (keys.size() == 1) return one_.pull(*this, keys.data(), values.data());
    pull_several(keys, values);
  }
  std::uint32_t push(std::span<const Key> keys, std::span<const float> deltas, bool acknowledged) {
    return access(keys, deltas.data(), acknowledged);
  }
  /// Nobody waits for it.
  void push_now(std::span<const Key> keys, std::span<const float> deltas) {
    if (keys.size() == 1) return one_.push(*this, keys.data(), deltas.data());
    push_several(keys, deltas);
  }
  std::uint32_t localize(std::span<const Key> keys, bool waited_for);
  void wait(std::uint32_t operation);
  void prefetch(Key key) const;

  void advance_clock() {
    clock_.store(clock() + 1, std::memory_order_relaxed);
    if (clocks_ != nullptr && --steps_left_ == 0) advance_sync_clock();
  }
  /// Any thread may ask.
  std::uint64_t clock() const { return clock_.load(std::memory_order_relaxed); }
  void intent(std::span<const Key> keys, std::uint64_t start, std::uint64_t end);

  void prepare_sample(std::size_t n, std::uint64_t start, std::uint64_t end);
  void pull_sample(std::span<Key> keys, std::span<float> values);

  /// Waits for all workers; see Gather. What an exchange gave.
  std::shared_ptr<const std::vector<double>> gather(Gather mode, std::vector<double> numbers);
  /// As gather(), where nothing has been accessed since the node began: what keeps copies in step
  /// takes no part.
  void meet(Gather mode, std::vector<double> numbers);
  void compute(double flops);

  /// This worker's clock: seconds since the run began.
  double now() const;
  /// Where its time has gone so far. On the clock of the wall, what was not spent otherwise was
  /// spent computing, and local accesses are timed by sample.
  metrics::WorkerLedger ledger() const;
  /// For the message of a run that hangs; empty: it waits for no operation.
  std::string waiting_text() const;
  std::size_t open_operations() const { return operations_.num_open(); }

  // For handlers of this node.
  /// A value of a pull has come; completed() follows.
  void answered(std::uint32_t operation, std::uint32_t tag, std::span<const float> value);
  /// Nothing more is to be done for so many of its keys.
  void completed(std::uint32_t operation, std::uint32_t keys = 1);
  void wake() { runtime_.notify(); }

 private:
  friend class LocalAccess;
  class Spent;
  class Sample;
  Operation& begin(std::uint32_t& operation, std::span<const Key> keys, float* values);

  // Pulls and pushes. Floats: float to read values into, const float to add.
  template <typename Floats>
  static constexpr bool kPushes = std::is_const_v<Floats>;
  template <typename Floats>
  std::uint32_t access(std::span<const Key> keys, Floats* floats, bool awaited) {
    LocalAccess::Served served;
    if (local_ && routine()) {
      served = local_->access(keys.data(), keys.size(), floats);
      if (served.keys == keys.size()) [[likely]] {
        ledger_.accesses += served.keys;
        ledger_.local_accesses += served.keys;
        return kNoOperation;
      }
    }
    return access_generally(keys, floats, awaited, served);
  }
  // Not inlined, so that calls of one key have no frame.
  void pull_several(std::span<const Key> keys, std::span<float> values);
  void push_several(std::span<const Key> keys, std::span<const float> deltas);
  template <typename Floats>
  static void access_one_generally(WorkerCore& worker, const Key* key, Floats* floats);
  /// Every case, for the keys that have not been served.
  template <typename Floats>
  std::uint32_t access_generally(std::span<const Key> keys, Floats* floats, bool awaited,
                                 LocalAccess::Served served);
  /// What a call does with the keys that are not here, after those that are: brings this worker's
  /// clock up to date, enters the node and looks them up again. Until it leaves, nothing else runs
  /// on this node, so that what is decided from the directory is still true when it is sent.
  /// Without this a push could be overtaken by a later pull.
  template <typename Floats>
  std::uint32_t access_missing(std::span<const Key> keys, Floats* floats, bool awaited);
  template <typename Floats>
  bool access_copy(Key key, std::uint32_t copy, Floats* floats, std::size_t length);
  template <typename Floats>
  bool access_here(Key key, Floats* floats, std::size_t length);

  void charge(metrics::Time what, double seconds) {
    ledger_[what] += seconds;
    debt_ += seconds;
  }
  void charge_local(std::size_t keys, std::size_t floats);
  /// What is due after a call: spending time; now and then, moving messages.
  void end_call();
  /// Whether a call may be served without anything else being done.
  bool routine() { return countdown_ != 0 && --countdown_ != 0; }
  void settle_debt();
  void measure_clock();
  void send_all();
  void advance_sync_clock();
  void set_sync_clock(std::uint64_t clock);
  void wait_for_others();
  /// Blocks until `done`; the time counts as `reason`.
  template <typename Done>
  void wait_until(metrics::Time reason, Done done);
  void make_sampler();
  void remember(std::span<const Key> keys);

  NodeCore& node_;
  WorkerRuntime& runtime_;
  const CostTable& costs_;
  std::size_t bytes_per_float_;  ///< more than 4 when each float stands for several
  std::uint32_t local_index_;
  double quantum_;
  double debt_ = 0.0;  ///< work done that the runtime has not been told of yet, seconds
  metrics::WorkerLedger ledger_;
  std::atomic<std::uint64_t> clock_ = 0;
  Copies* copies_;                ///< null: all copies are Replicas
  ClockSync* clocks_;             ///< null: copies have no clocks
  std::uint64_t steps_left_ = 0;  ///< until the next clock of `clocks_`
  std::uint64_t sync_clock_ = 0;
  std::uint64_t oldest_ = 0;  ///< stamp of a copy that may be read
  Operations operations_;
  std::atomic<std::uint32_t> waiting_for_ = kNoOperation;
  Outbox outbox_;
  /// A position in a call, and where its value is in the call's floats.
  struct Missing {
    std::uint32_t position;
    std::size_t offset;
  };
  std::vector<Missing> missing_;
  bool threads_;
  std::optional<LocalAccess> local_;  ///< for threads that share memory
  LocalAccess::One one_ = {access_one_generally<float>, access_one_generally<const float>};
  std::uint32_t countdown_ = kCallsPerSample;  ///< 0: the next call is timed
  const KeySpace& space_;
  bool shared_memory_;
  double clock_cost_ = 0.0;  ///< seconds that reading the clock takes

  std::unique_ptr<Sampler> sampler_;
  SamplingContext sampling_;
  std::uint64_t samples_start_ = 0;  ///< clocks in which the samples will be used that the
  std::uint64_t samples_end_ = 0;    ///< sampler prepares
  std::unique_ptr<Random> sampling_random_;
  std::size_t recent_pulls_ = 0;  ///< how many the scheme wants to know; 0: none are kept
  std::size_t oldest_pull_ = 0;   ///< its place among them
};

}  // namespace pslab::manager
