#include "manager/hubs.hpp"

#include <algorithm>

#include "manager/node_core.hpp"
#include "manager/values.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {
// Of a key in a message of sums.
constexpr std::uint32_t kDropped = 1;
constexpr std::uint32_t kHasSum = 2;

MessageKey entry_of(Key key, std::uint32_t tag = 0) {
  return {static_cast<std::uint32_t>(key), tag};
}
}  // namespace

Hubs::Hubs(NodeCore& node, Copies& copies, const IntentRounds& options)
    : node_(node),
      copies_(copies),
      options_(options),
      interests_(node.setup().workers_per_node),
      hubs_(node.node()) {}

MessageHeader Hubs::header(MessageKind kind) const {
  MessageHeader header;
  header.kind = kind;
  header.origin = node_.node();
  return header;
}

// --- rounds

void Hubs::start() {
  settling_ = false;
  running_ = true;
  schedule();
}

void Hubs::stop() {
  running_ = false;
}

void Hubs::schedule() {
  node_.after(1.0 / options_.rounds_per_second, [this, timer = ++timer_] {
    if (!running_ || timer != timer_) return;
    round();
    schedule();
  });
}

void Hubs::round() {
  act_on_intents();
  send_sums();
  send_changes();
  flush();
}

void Hubs::flush() {
  outbox_.flush([this](NodeId to, Message message) { node_.transmit(to, std::move(message)); });
}

void Hubs::act_on_intents() {
  std::vector<std::uint64_t> clocks;
  for (std::uint32_t i = 0; i < node_.setup().workers_per_node; ++i) {
    clocks.push_back(node_.worker(i).clock());
  }
  std::vector<Key> begun;
  std::vector<Key> ended = std::exchange(ended_, {});
  if (!settling_) interests_.act(clocks, node_.setup().strategy, begun, ended);
  for (const Key key : begun) {
    if (node_.store().find(key).held() == Held::kAbsent) node_.request(key, outbox_);
  }
  for (const Key key : ended) end_interest(key);
}

void Hubs::end_interest(Key key) {
  if (interests_.active(key) || node_.store().find(key).held() != Held::kReplica) return;
  if (taking_over_.contains(key)) return;
  if (hubs_.contains(key)) return offer_if_alone(key, outbox_);
  const std::uint32_t copy = copy_of(key);
  const std::size_t length = node_.setup().keys.length(key);
  const NodeId home = node_.directory().home(key);
  {
    const KeyLocks::Guard guard = node_.lock(key);
    const float* sum = copies_.sum(key, copy);
    if (copies_.state(key, copy).dirty != 0) {
      outbox_.add(home, header(MessageKind::kSums), entry_of(key, kDropped | kHasSum),
                  {sum, length});
      node_.count_pushed(1);
    } else {
      outbox_.add(home, header(MessageKind::kSums), entry_of(key, kDropped));
    }
    drop_copy(key);
  }
  --num_copies_;
}

void Hubs::send_sums() {
  std::vector<Key> dirty = copies_.take_dirty();
  dirty.insert(dirty.end(), later_.begin(), later_.end());
  later_.clear();
  for (const Key key : dirty) {
    if (node_.store().find(key).held() != Held::kReplica || taking_over_.contains(key)) continue;
    const std::uint32_t copy = copy_of(key);
    const KeyLocks::Guard guard = node_.lock(key);
    if (copies_.state(key, copy).dirty == 0) continue;
    const std::span<const float> sum(copies_.sum(key, copy), node_.setup().keys.length(key));
    if (hubs_.contains(key)) {
      hubs_.add_change(key, node_.node(), sum);
    } else {
      outbox_.add(node_.directory().home(key), header(MessageKind::kSums), entry_of(key, kHasSum),
                  sum);
      node_.count_pushed(1);
    }
    copies_.clear_sum(key, copy);
  }
}

void Hubs::send_changes() {
  hubs_.send_changes([&](Key key, NodeId to, std::span<const float> news) {
    outbox_.add(to, header(MessageKind::kChanges), entry_of(key), news);
  });
}

// --- copies

std::uint32_t Hubs::copy_of(Key key) const {
  return node_.store().find(key).reference();
}

std::uint32_t Hubs::make_copy(Key key, std::span<const float> value) {
  const std::uint32_t copy = copies_.make(key);
  copy_value(copies_.value(key, copy), value.data(), value.size());
  if (!node_.directory().is_home(key)) ++num_copies_;
  return copy;
}

/// Under the key's lock.
void Hubs::drop_copy(Key key) {
  copies_.drop(key, copy_of(key));
  node_.store().erase(key);
}

void Hubs::own_to_copy(Key key) {
  const KeyLocks::Guard guard = node_.lock(key);
  const Holding owned = node_.store().find(key);
  const std::uint32_t copy =
      make_copy(key, {node_.store().value(key, owned), node_.setup().keys.length(key)});
  node_.store().remove(key, owned);
  node_.store().set(key, Holding(Held::kReplica, copy));
}

/// A key that was on its way here has come, as a copy.
void Hubs::resolve(Key key, Transfer& record, std::uint32_t copy) {
  const Holding here(Held::kReplica, copy);
  {
    const KeyLocks::Guard guard = node_.lock(key);
    node_.serve_queue(key, record, here);
    node_.store().set(key, here);
  }
  node_.complete_localizers(record);
  if (!interests_.active(key)) ended_.push_back(key);
}

// --- sums and changes

void Hubs::on_sums(const Message& message, Outbox& outbox) {
  const NodeId from = message.header().origin;
  const float* sum = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    if ((entry.tag & kHasSum) != 0) {
      const std::size_t length = node_.setup().keys.length(entry.key);
      receive_sum(entry.key, from, {sum, length});
      sum += length;
    }
    if ((entry.tag & kDropped) != 0) leave(entry.key, from, outbox);
  }
}

void Hubs::receive_sum(Key key, NodeId from, std::span<const float> delta) {
  if (!hubs_.contains(key)) node_.broken("a sum for a key that has no copies", key);
  {
    const KeyLocks::Guard guard = node_.lock(key);
    add_value(copies_.value(key, copy_of(key)), delta.data(), delta.size());
  }
  hubs_.add_change(key, from, delta);
  node_.count_applied(1);
}

void Hubs::on_changes(const Message& message) {
  const float* change = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    const std::size_t length = node_.setup().keys.length(entry.key);
    const KeyLocks::Guard guard = node_.lock(entry.key);
    const Holding holding = node_.store().find(entry.key);
    // It may have been dropped meanwhile.
    if (holding.held() == Held::kReplica) {
      add_value(copies_.value(entry.key, holding.reference()), change, length);
    }
    change += length;
  }
}

// --- the end of an epoch

void Hubs::settle() {
  settling_ = true;
  interests_.cancel(ended_);
  node_.store().for_each([&](Key key, Holding holding) {
    if (holding.held() == Held::kReplica) ended_.push_back(key);
  });
  std::ranges::sort(ended_);
  ended_.erase(std::unique(ended_.begin(), ended_.end()), ended_.end());
  round();
}

std::size_t Hubs::open_work() const {
  return settling_ ? num_copies_ + hubs_.size() + taking_over_.size() : taking_over_.size();
}

}  // namespace pslab::manager
