#include "workloads/synthetic/replay.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/synthetic/pushes.hpp"

namespace pslab::synthetic {
namespace {

using trace::Kind;
using trace::Op;

class Replay final : public WorkerTask {
 public:
  Replay(const Options& options, const Recording& recording, WorkerId worker)
      : options_(options), recording_(recording), worker_(worker) {}

  void train(Worker& worker, int epoch) override {
    begun_ = 0;
    trace::OpReader ops = recording_.epoch(worker_, epoch);
    for (Op op; ops.next(op);) {
      if (op.keys.empty()) {
        without_keys(worker, op);
      } else {
        with_keys(worker, op);
      }
    }
    values_ = {};  // thousands of workers may share this memory
    deltas_ = {};
  }

  void evaluate(Worker& worker) override {
    if (options_.evaluate) count_pushes(worker, recording_.keys(), sums_);
  }

  std::vector<double> take_sums() override { return std::exchange(sums_, no_sums()); }

 private:
  /// An asynchronous call, with what must live until it is waited for.
  struct Call {
    std::vector<Key> keys;
    std::vector<float> floats;
    Pending pending;
  };

  void with_keys(Worker& worker, const Op& op) {
    switch (op.kind) {
      case Kind::kPull:
      case Kind::kSample:  // the keys that were handed out
        values_.resize(floats_of(op.keys));
        worker.pull(op.keys, values_);
        break;
      case Kind::kPush:
        deltas_.clear();
        make_deltas(op.keys, deltas_);
        worker.push(op.keys, deltas_);
        break;
      case Kind::kLocalize:
        worker.localize(op.keys);
        break;
      case Kind::kIntent:
        announce(worker, op);
        break;
      default:
        begin(worker, op);
        break;
    }
  }

  void without_keys(Worker& worker, const Op& op) {
    switch (op.kind) {
      case Kind::kWait:
        wait(worker, op);
        break;
      case Kind::kClock:
        worker.advance_clock();
        break;
      case Kind::kBarrier:
        worker.barrier();
        break;
      case Kind::kCompute:
        worker.compute(op.flops);
        break;
      case Kind::kPullAsync:
      case Kind::kPushAsync:
      case Kind::kLocalizeAsync:
        begin(worker, op);
        break;
      default:
        break;  // samples are pulled like other keys, and nothing need be prepared
    }
  }

  void announce(Worker& worker, const Op& op) const {
    const auto clock = static_cast<std::int64_t>(worker.clock());
    const std::int64_t start = std::max<std::int64_t>(0, clock + op.number);
    worker.intent(op.keys, static_cast<std::uint64_t>(start),
                  static_cast<std::uint64_t>(std::max(start, clock + op.number + op.length)));
  }

  void begin(Worker& worker, const Op& op) {
    Call& call = open_[begun_++];
    call.keys.assign(op.keys.begin(), op.keys.end());
    if (op.kind == Kind::kPullAsync) {
      call.floats.resize(floats_of(op.keys));
      call.pending = worker.pull_async(call.keys, call.floats);
    } else if (op.kind == Kind::kPushAsync) {
      make_deltas(call.keys, call.floats);
      call.pending = worker.push_async(call.keys, call.floats);
    } else {
      call.pending = worker.localize_async(call.keys);
    }
  }

  void wait(Worker& worker, const Op& op) {
    const auto call = open_.find(begun_ - 1 - op.number);
    worker.wait(call->second.pending);
    open_.erase(call);
  }

  std::size_t floats_of(std::span<const Key> keys) const {
    std::size_t floats = 0;
    for (const Key key : keys) floats += recording_.keys().length(key);
    return floats;
  }

  void make_deltas(std::span<const Key> keys, std::vector<float>& deltas) {
    for (const Key key : keys) add_delta(deltas, recording_.keys().length(key));
    sums_[kPushes] += static_cast<double>(keys.size());
  }

  const Options& options_;
  const Recording& recording_;
  WorkerId worker_;
  std::vector<float> values_;
  std::vector<float> deltas_;
  std::int64_t begun_ = 0;                       ///< asynchronous calls of this epoch
  std::unordered_map<std::int64_t, Call> open_;  ///< by their number
  std::vector<double> sums_ = no_sums();
};

}  // namespace

std::unique_ptr<WorkerTask> make_replay(const Options& options, const Recording& recording,
                                        WorkerId worker) {
  return std::make_unique<Replay>(options, recording, worker);
}

}  // namespace pslab::synthetic
