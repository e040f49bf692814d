#include "manager/replicas.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "manager/node_core.hpp"

namespace pslab::manager {

Replicas::Replicas(NodeCore& node, const KeySpace& space, std::vector<Key> keys, AllReduce options)
    : node_(node), keys_(std::move(keys)), options_(options), changed_(keys_.size()) {
  std::sort(keys_.begin(), keys_.end());
  offset_.push_back(0);
  for (const Key key : keys_) offset_.push_back(offset_.back() + space.length(key));
  values_.assign(offset_.back(), 0.0F);
  agreed_.assign(offset_.back(), 0.0F);
  core_nodes_ = std::bit_floor(node.num_nodes());
  // Step 0: extra nodes to their partners; 1 .. log2 P: butterfly; last: sums back to the extra
  // nodes.
  last_step_ = static_cast<std::uint32_t>(std::countr_zero(core_nodes_)) + 1;
}

std::span<const float> Replicas::agreed(std::uint32_t number) const {
  return {&agreed_[offset_[number]], offset_[number + 1] - offset_[number]};
}

std::span<float> Replicas::slot(std::vector<float>& floats, std::uint32_t number) {
  return {&floats[offset_[number]], offset_[number + 1] - offset_[number]};
}

void Replicas::initialise(std::uint32_t number, std::span<const float> value) {
  std::copy(value.begin(), value.end(), slot(values_, number).begin());
  std::copy(value.begin(), value.end(), slot(agreed_, number).begin());
}

void Replicas::resume() {
  if (keys_.empty() || options_.rounds_per_second <= 0.0) return;
  timed_ = true;
  schedule(1.0 / options_.rounds_per_second);
}

void Replicas::schedule(double delay) {
  node_.runtime().after(delay, [this, timer = ++timer_] {
    if (timed_ && timer == timer_ && started_ == done_) start_round();
  });
}

void Replicas::run_until(std::uint32_t target, void (NodeCore::*on_done)()) {
  target_ = target;
  on_done_ = on_done;
  if (started_ == done_) after_round();
}

void Replicas::start_round() {
  ++started_;
  step_ = 0;
  sent_ = false;
  round_began_ = node_.runtime().now();
  collect();
  advance();
}

void Replicas::collect() {
  own_.numbers.clear();
  own_.floats.clear();
  for (std::uint32_t number = 0; number < size(); ++number) {
    if (changed_[number].load(std::memory_order_relaxed) == 0) continue;
    own_.numbers.push_back(number);
    const KeyLocks::Guard guard = node_.lock(keys_[number]);
    changed_[number].store(0, std::memory_order_relaxed);
    const std::span<const float> value = slot(values_, number);
    const std::span<const float> base = agreed(number);
    for (std::size_t i = 0; i < value.size(); ++i) own_.floats.push_back(value[i] - base[i]);
  }
  sum_ = own_;
}

void Replicas::advance() {
  const NodeId me = node_.runtime().node();
  const NodeId extras = node_.num_nodes() - core_nodes_;
  const bool extra = me >= core_nodes_;
  while (step_ <= last_step_) {
    // Whom this node sends to and hears from in this step; itself: nobody.
    NodeId to = me;
    NodeId from = me;
    if (step_ == 0) {
      if (extra) to = me - core_nodes_;
      if (me < extras) from = me + core_nodes_;
    } else if (step_ == last_step_) {
      if (extra) from = me - core_nodes_;
      if (me < extras) to = me + core_nodes_;
    } else if (!extra) {
      to = from = me ^ (NodeId{1} << (step_ - 1));
    }
    if (to != me && !sent_) send_sum(to, step_);
    sent_ = true;
    if (from != me) {
      const auto message = early_.find({started_, step_});
      if (message == early_.end()) return;
      if (extra) {
        sum_ = Deltas{};  // the partner's sum contains this node's deltas
      }
      merge(message->second);
      early_.erase(message);
    }
    ++step_;
    sent_ = false;
  }
  finish_round();
}

void Replicas::send_sum(NodeId to, std::uint32_t step) {
  MessageHeader header;
  header.kind = MessageKind::kReplicaDelta;
  header.origin = node_.runtime().node();
  header.op = started_;
  header.worker = step;
  header.num_keys = static_cast<std::uint32_t>(sum_.numbers.size());
  header.num_floats = static_cast<std::uint32_t>(sum_.floats.size());
  Message message(header);
  for (std::size_t i = 0; i < sum_.numbers.size(); ++i) message.keys()[i] = {sum_.numbers[i], 0};
  std::copy(sum_.floats.begin(), sum_.floats.end(), message.floats().begin());
  node_.transmit(to, std::move(message));
}

void Replicas::receive(Message message) {
  const std::pair<std::uint32_t, std::uint32_t> place{message.header().op, message.header().worker};
  early_.emplace(place, std::move(message));
  if (started_ != done_) advance();
}

// Both lists ascend; keys in both are added up. Adding two numbers commutes exactly, so partners
// get the same bits, and by induction all nodes do.
void Replicas::merge(const Message& message) {
  merged_.numbers.clear();
  merged_.floats.clear();
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t a_float = 0;
  std::size_t b_float = 0;
  const auto keys = message.keys();
  const auto floats = message.floats();
  while (a < sum_.numbers.size() || b < keys.size()) {
    const bool take_a =
        b == keys.size() || (a < sum_.numbers.size() && sum_.numbers[a] <= keys[b].key);
    const bool take_b =
        a == sum_.numbers.size() || (b < keys.size() && keys[b].key <= sum_.numbers[a]);
    const std::uint32_t number = take_a ? sum_.numbers[a] : keys[b].key;
    const std::size_t length = offset_[number + 1] - offset_[number];
    merged_.numbers.push_back(number);
    for (std::size_t i = 0; i < length; ++i) {
      const float left = take_a ? sum_.floats[a_float + i] : 0.0F;
      merged_.floats.push_back(take_b ? left + floats[b_float + i] : left);
    }
    if (take_a) {
      ++a;
      a_float += length;
    }
    if (take_b) {
      ++b;
      b_float += length;
    }
  }
  std::swap(sum_, merged_);
}

void Replicas::finish_round() {
  std::size_t own = 0;
  std::size_t own_float = 0;
  std::size_t sum_float = 0;
  for (const std::uint32_t number : sum_.numbers) {
    const std::span<float> value = slot(values_, number);
    const std::span<float> base = slot(agreed_, number);
    const bool mine = own < own_.numbers.size() && own_.numbers[own] == number;
    const KeyLocks::Guard guard = node_.lock(keys_[number]);
    const bool changed = changed_[number].load(std::memory_order_relaxed) != 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const float others = sum_.floats[sum_float + i] - (mine ? own_.floats[own_float + i] : 0.0F);
      base[i] += sum_.floats[sum_float + i];
      value[i] = changed ? value[i] + others : base[i];
    }
    sum_float += value.size();
    if (mine) {
      ++own;
      own_float += value.size();
    }
  }
  ++done_;
  node_.counters().sync_rounds += 1;
  after_round();
}

void Replicas::after_round() {
  if (on_done_ != nullptr) {
    if (keys_.empty() || done_ >= target_) {
      const auto notify = on_done_;
      on_done_ = nullptr;
      (node_.*notify)();
    } else {
      start_round();
    }
  } else if (timed_) {
    const double due = round_began_ + 1.0 / options_.rounds_per_second;
    schedule(std::max(0.0, due - node_.runtime().now()));
  }
}

}  // namespace pslab::manager
