#include "api/worker.hpp"

#include "checks/recorder.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "trace/tracer.hpp"

namespace pslab {

namespace {

using trace::Kind;

trace::Moment moment(manager::WorkerCore& core) {
  return {core.node().runtime().now(), core.now()};
}

/// Other calls of a worker whose history is checked, whose calls are traced, or both.
struct Watched {
  manager::WorkerCore& core;
  checks::Recorder* recorder;
  trace::Tracer* tracer;

  std::uint32_t pull_async(std::span<const Key> keys, std::span<float> values) const {
    return traced(Kind::kPullAsync, keys, [&] {
      return recorder != nullptr ? recorder->pull(core, keys, values) : core.pull(keys, values);
    });
  }
  std::uint32_t push_async(std::span<const Key> keys, std::span<const float> deltas) const {
    return traced(Kind::kPushAsync, keys, [&] {
      return recorder != nullptr ? recorder->push(core, keys, deltas, true)
                                 : core.push(keys, deltas, true);
    });
  }
  std::uint32_t localize_async(std::span<const Key> keys) const {
    return traced(Kind::kLocalizeAsync, keys, [&] { return core.localize(keys, true); });
  }
  void wait(std::uint32_t operation) const {
    if (tracer != nullptr) operation = tracer->wait(moment(core), operation);
    if (operation == manager::WorkerCore::kNoOperation) return;
    if (recorder != nullptr) return recorder->wait(core, operation);
    core.wait(operation);
  }
  void pull_sample(std::span<Key> keys, std::span<float> values) const {
    const trace::Moment began = moment(core);
    if (recorder != nullptr) {
      recorder->pull_sample(core, keys, values);
    } else {
      core.pull_sample(keys, values);
    }
    if (tracer != nullptr) tracer->call(Kind::kSample, began, keys);
  }

 private:
  template <typename Call>
  std::uint32_t traced(Kind kind, std::span<const Key> keys, Call call) const {
    if (tracer == nullptr) return call();
    const trace::Moment began = moment(core);
    return tracer->call_async(kind, began, keys, call());
  }
};

}  // namespace

WorkerId Worker::id() const {
  return core_.id();
}
NodeId Worker::node() const {
  return core_.node().node();
}
NodeId Worker::num_nodes() const {
  return core_.node().num_nodes();
}
WorkerId Worker::num_workers() const {
  return num_nodes() * core_.node().setup().workers_per_node;
}

// Not inlined, so that calls that nobody watches have no frame.
[[gnu::noinline]] void Worker::pull_watched(std::span<const Key> keys, std::span<float> values) {
  if (tracer_ != nullptr) tracer_->call(Kind::kPull, moment(core_), keys);
  if (recorder_ != nullptr) return recorder_->pull_now(core_, keys, values);
  core_.pull_now(keys, values);
}
[[gnu::noinline]] void Worker::push_watched(std::span<const Key> keys,
                                            std::span<const float> deltas) {
  if (tracer_ != nullptr) tracer_->call(Kind::kPush, moment(core_), keys);
  if (recorder_ != nullptr) return recorder_->push_now(core_, keys, deltas);
  core_.push_now(keys, deltas);
}

void Worker::pull(std::span<const Key> keys, std::span<float> values) {
  if (watched_) [[unlikely]]
    return pull_watched(keys, values);
  core_.pull_now(keys, values);
}
Pending Worker::pull_async(std::span<const Key> keys, std::span<float> values) {
  if (watched_) [[unlikely]]
    return {Watched{core_, recorder_, tracer_}.pull_async(keys, values)};
  return {core_.pull(keys, values)};
}
void Worker::push(std::span<const Key> keys, std::span<const float> deltas) {
  if (watched_) [[unlikely]]
    return push_watched(keys, deltas);
  core_.push_now(keys, deltas);
}
Pending Worker::push_async(std::span<const Key> keys, std::span<const float> deltas) {
  if (watched_) [[unlikely]]
    return {Watched{core_, recorder_, tracer_}.push_async(keys, deltas)};
  return {core_.push(keys, deltas, true)};
}
void Worker::localize(std::span<const Key> keys) {
  if (tracer_ != nullptr) [[unlikely]]
    tracer_->call(Kind::kLocalize, moment(core_), keys);
  core_.localize(keys, false);
}
Pending Worker::localize_async(std::span<const Key> keys) {
  return {Watched{core_, recorder_, tracer_}.localize_async(keys)};
}
void Worker::wait(Pending operation) {
  if (operation.done()) return;
  Watched{core_, recorder_, tracer_}.wait(operation.op);
}

void Worker::advance_clock() {
  if (tracer_ != nullptr) [[unlikely]]
    tracer_->clock();
  core_.advance_clock();
}
std::uint64_t Worker::clock() const {
  return core_.clock();
}
void Worker::intent(std::span<const Key> keys, std::uint64_t start, std::uint64_t end) {
  if (tracer_ != nullptr) [[unlikely]]
    tracer_->intent(keys, static_cast<std::int64_t>(start - clock()),
                    static_cast<std::int64_t>(end - start));
  core_.intent(keys, start, end);
}
bool Worker::intents_wait() const {
  const std::optional<IntentRounds>& intents = core_.node().setup().plan.intents;
  return intents && intents->timed;
}

void Worker::prefetch(Key key) const {
  core_.prefetch(key);
}

void Worker::prepare_sample(std::size_t n, std::uint64_t start, std::uint64_t end) {
  if (tracer_ != nullptr) [[unlikely]]
    tracer_->prepare_sample(n);
  core_.prepare_sample(n, start, end);
}
void Worker::pull_sample(std::span<Key> keys, std::span<float> values) {
  if (watched_) [[unlikely]]
    return Watched{core_, recorder_, tracer_}.pull_sample(keys, values);
  core_.pull_sample(keys, values);
}

void Worker::barrier() {
  if (tracer_ != nullptr) tracer_->barrier(moment(core_));
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->barrier(core_);
  core_.gather(manager::Gather::kBarrier, {});
}
void Worker::compute(double flops) {
  if (tracer_ != nullptr) [[unlikely]]
    tracer_->compute(flops);
  core_.compute(flops);
}

Random Worker::random(std::string_view purpose, std::uint64_t number) const {
  return Random(core_.node().setup().seed, purpose, core_.id(), number);
}

}  // namespace pslab
