#include "api/worker.hpp"

#include "checks/recorder.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"

namespace pslab {

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

void Worker::pull(std::span<const Key> keys, std::span<float> values) {
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->pull_now(core_, keys, values);
  core_.pull_now(keys, values);
}
Pending Worker::pull_async(std::span<const Key> keys, std::span<float> values) {
  if (recorder_ != nullptr) [[unlikely]]
    return {recorder_->pull(core_, keys, values)};
  return {core_.pull(keys, values)};
}
void Worker::push(std::span<const Key> keys, std::span<const float> deltas) {
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->push_now(core_, keys, deltas);
  core_.push_now(keys, deltas);
}
Pending Worker::push_async(std::span<const Key> keys, std::span<const float> deltas) {
  if (recorder_ != nullptr) [[unlikely]]
    return {recorder_->push(core_, keys, deltas, true)};
  return {core_.push(keys, deltas, true)};
}
void Worker::localize(std::span<const Key> keys) {
  core_.localize(keys, false);
}
Pending Worker::localize_async(std::span<const Key> keys) {
  return {core_.localize(keys, true)};
}
void Worker::wait(Pending operation) {
  if (operation.done()) return;
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->wait(core_, operation.op);
  core_.wait(operation.op);
}

void Worker::advance_clock() {
  core_.advance_clock();
}
std::uint64_t Worker::clock() const {
  return core_.clock();
}
void Worker::intent(std::span<const Key> keys, std::uint64_t start, std::uint64_t end) {
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
  core_.prepare_sample(n, start, end);
}
void Worker::pull_sample(std::span<Key> keys, std::span<float> values) {
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->pull_sample(core_, keys, values);
  core_.pull_sample(keys, values);
}

void Worker::barrier() {
  if (recorder_ != nullptr) [[unlikely]]
    return recorder_->barrier(core_);
  core_.gather(manager::Gather::kBarrier, {});
}
void Worker::compute(double flops) {
  core_.compute(flops);
}

Random Worker::random(std::string_view purpose, std::uint64_t number) const {
  return Random(core_.node().setup().seed, purpose, core_.id(), number);
}

}  // namespace pslab
