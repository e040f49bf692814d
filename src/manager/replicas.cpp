#include "manager/replicas.hpp"

#include <algorithm>
#include <utility>

#include "manager/node_core.hpp"

namespace pslab::manager {

Replicas::Replicas(NodeCore& node, const KeySpace& space, std::vector<Key> keys, AllReduce options)
    : node_(node),
      options_(options),
      layout_(space, std::move(keys)),
      values_(layout_.total_floats(), 0.0F),
      agreed_(layout_.total_floats(), 0.0F),
      changed_(layout_.size()),
      round_(node, layout_, options.method),
      clip_(options.clip) {}

std::span<float> Replicas::slot(std::vector<float>& floats, std::uint32_t number) const {
  return {&floats[layout_.begin(number)], layout_.length(number)};
}

void Replicas::initialise(std::uint32_t number, std::span<const float> value) {
  std::copy(value.begin(), value.end(), slot(values_, number).begin());
  std::copy(value.begin(), value.end(), slot(agreed_, number).begin());
}

void Replicas::resume() {
  if (size() == 0 || options_.rounds_per_second <= 0.0) return;
  timed_ = true;
  quiet_ = false;
  schedule(1.0 / options_.rounds_per_second);
}

void Replicas::schedule(double delay) {
  node_.after(delay, [this, timer = ++timer_] {
    if (timed_ && timer == timer_ && started_ == done_) start_if_due();
  });
}

void Replicas::start_if_due() {
  if (!quiet_) return start_round();
  collect();
  if (own_.numbers.empty()) return schedule(1.0 / options_.rounds_per_second);
  ++started_;
  call_others();
  begin_round();
}

void Replicas::call_others() {
  for (NodeId to = 0; to < node_.num_nodes(); ++to) {
    if (to != node_.node()) node_.transmit(to, SyncRound::call(started_));
  }
}

void Replicas::run_until(std::uint32_t target, void (NodeCore::*on_done)()) {
  target_ = target;
  on_done_ = on_done;
  if (started_ == done_) after_round();
}

void Replicas::start_round() {
  ++started_;
  collect();
  begin_round();
}

void Replicas::begin_round() {
  round_began_ = node_.runtime().now();
  round_.begin(started_, own_);
  if (round_.advance()) finish_round();
}

void Replicas::receive(Message message) {
  if (SyncRound::is_call(message)) {
    called_ = std::max(called_, message.header().op);
    if (started_ == done_ && timed_ && called_ > started_) start_round();
    return;
  }
  round_.receive(std::move(message));
  if (started_ != done_ && round_.advance()) finish_round();
}

// Small changes wait and grow, but not beyond the round that ends an epoch.
bool Replicas::takes_all() const {
  return options_.threshold <= 0.0 || (on_done_ != nullptr && started_ == target_);
}

void Replicas::collect() {
  own_.clear();
  const bool all = takes_all();
  for (std::uint32_t number = 0; number < size(); ++number) {
    if (changed_[number].load(std::memory_order_relaxed) == 0) continue;
    const KeyLocks::Guard guard = node_.lock(key(number));
    const std::span<const float> value = slot(values_, number);
    const std::span<const float> base = slot(agreed_, number);
    delta_.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) delta_[i] = value[i] - base[i];
    if (!all && norm(delta_) < options_.threshold) continue;
    changed_[number].store(0, std::memory_order_relaxed);
    own_.append(number, delta_);
  }
}

void Replicas::finish_round() {
  const Deltas& sum = round_.sum();
  const float* sum_float = sum.floats.data();
  const float* own_float = own_.floats.data();
  auto own = own_.numbers.begin();
  for (const MessageKey& entry : sum.numbers) {
    const std::size_t length = layout_.length(entry.key);
    const bool mine = own != own_.numbers.end() && own->key == entry.key;
    apply(entry.key, {sum_float, length}, {own_float, mine ? length : 0});
    sum_float += length;
    if (mine) {
      ++own;
      own_float += length;
    }
  }
  ++done_;
  quiet_ = sum.numbers.empty();
  node_.counters().sync_rounds += 1;
  after_round();
}

/// `own`: what this node contributed to the sum; empty: nothing.
void Replicas::apply(std::uint32_t number, std::span<const float> sum, std::span<const float> own) {
  const float share = applied_share(sum);
  const std::span<float> value = slot(values_, number);
  const std::span<float> base = slot(agreed_, number);
  const KeyLocks::Guard guard = node_.lock(key(number));
  const bool changed = changed_[number].load(std::memory_order_relaxed) != 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const float applied = share * sum[i];
    const float others = applied - (own.empty() ? 0.0F : own[i]);
    base[i] += applied;
    value[i] = changed ? value[i] + others : base[i];
  }
}

// The same on all nodes, which see the same sums in the same order.
float Replicas::applied_share(std::span<const float> sum) {
  double share = options_.average ? 1.0 / node_.num_nodes() : 1.0;
  if (options_.clip > 0.0) share *= clip_.scale(share * norm(sum));
  return static_cast<float>(share);
}

void Replicas::after_round() {
  if (on_done_ != nullptr) {
    if (size() == 0 || done_ >= target_) {
      const auto notify = on_done_;
      on_done_ = nullptr;
      (node_.*notify)();
    } else {
      start_round();
    }
  } else if (timed_ && called_ > started_) {
    start_round();
  } else if (timed_) {
    const double due = round_began_ + 1.0 / options_.rounds_per_second;
    schedule(std::max(0.0, due - node_.runtime().now()));
  }
}

}  // namespace pslab::manager
