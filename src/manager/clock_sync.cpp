#include "manager/clock_sync.hpp"

#include <algorithm>
#include <utility>

#include "manager/node_core.hpp"
#include "manager/values.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {

// Numbers of 64 bits travel as keys, before the real ones.
MessageKey pack(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}
std::uint64_t unpack(const MessageKey& key) {
  return (std::uint64_t{key.key} << 32) | key.tag;
}

}  // namespace

ClockSync::ClockSync(NodeCore& node, Copies& copies, const Clocks& options)
    : node_(node),
      options_(options),
      copies_(copies),
      workers_(node.setup().workers_per_node, kFirst),
      peers_(node.num_nodes()) {}

std::uint64_t ClockSync::oldest_for(std::uint64_t clock) const {
  const std::uint64_t generation = clock >> 32 << 32;
  return std::max(generation, clock - std::min<std::uint64_t>(clock, options_.staleness));
}

std::uint32_t ClockSync::make(Key key) {
  const std::uint32_t copy = copies_.make(key);
  const KeyLocks::Guard guard = node_.lock(key);
  node_.store().set(key, Holding(Held::kReplica, copy));
  return copy;
}

// --- flushes

void ClockSync::advance(std::uint32_t worker, std::uint64_t clock, Outbox& outbox) {
  const std::uint64_t before = *std::ranges::min_element(workers_);
  workers_[worker] = clock;
  if (*std::ranges::min_element(workers_) > before) flush(outbox);
}

void ClockSync::flush(Outbox& outbox) {
  MessageHeader header;
  header.kind = MessageKind::kFlush;
  header.origin = node_.node();
  const std::uint64_t clock = *std::ranges::min_element(workers_);
  for (NodeId to = 0; to < peers_.size(); ++to) {
    if (to == node_.node()) continue;
    Peer& peer = peers_[to];
    peer.unconfirmed.push_back({++peer.sent, {}, {}});
    outbox.add(to, header, pack(clock));
    outbox.add(to, header, pack(peer.received));
  }
  const std::vector<Key> flushed = copies_.take_dirty();
  for (const Key key : flushed) {
    const NodeId owner = node_.directory().home(key);
    const std::size_t length = node_.setup().keys.length(key);
    Flush& kept = peers_[owner].unconfirmed.back();
    kept.keys.push_back(key);
    const std::uint32_t copy = node_.store().find(key).reference();
    const KeyLocks::Guard guard = node_.lock(key);
    float* sum = copies_.sum(key, copy);
    kept.sums.insert(kept.sums.end(), sum, sum + length);
    outbox.add(owner, header, {static_cast<std::uint32_t>(key), 0}, {sum, length});
    copies_.clear_sum(key, copy);
  }
  node_.count_pushed(flushed.size());
  peers_[node_.node()].clock = clock;
  peer_advanced(outbox);
}

void ClockSync::on_flush(const Message& message, Outbox& outbox) {
  const NodeId from = message.header().origin;
  Peer& peer = peers_[from];
  ++peer.received;
  peer.clock = unpack(message.keys()[0]);
  confirm(peer, unpack(message.keys()[1]));
  const float* sum = message.floats().data();
  for (const MessageKey& entry : message.keys().subspan(2)) {
    const std::size_t length = node_.setup().keys.length(entry.key);
    {
      const KeyLocks::Guard guard = node_.lock(entry.key);
      node_.add(entry.key, node_.store().find(entry.key), sum, length);
    }
    const auto found = subscribed_.find(entry.key);
    if (found != subscribed_.end() && !found->second.known[from].empty()) {
      add_value(found->second.known[from].data(), sum, length);
    }
    node_.count_applied(1);
    sum += length;
  }
  peer_advanced(outbox);
  wake();
}

void ClockSync::confirm(Peer& peer, std::uint64_t number) {
  while (!peer.unconfirmed.empty() && peer.unconfirmed.front().number <= number) {
    peer.unconfirmed.pop_front();
  }
}

void ClockSync::peer_advanced(Outbox& outbox) {
  std::uint64_t smallest = peers_.front().clock;
  for (const Peer& peer : peers_) smallest = std::min(smallest, peer.clock);
  if (smallest == clock_) return;
  clock_ = smallest;
  if (options_.server_push) {
    send_changes(outbox);
    peers_[node_.node()].pushed = clock_;
  }
  std::vector<Message> parked = std::move(parked_);
  parked_.clear();
  for (Message& request : parked) on_refresh(std::move(request), outbox);
}

void ClockSync::wake() {
  std::uint64_t reached = clock_;
  if (options_.server_push) {
    for (const Peer& peer : peers_) reached = std::min(reached, peer.pushed);
  }
  if (reached == reached_.load(std::memory_order_relaxed)) return;
  reached_.store(reached, std::memory_order_release);
  node_.wake_workers();
}

// --- values on request

void ClockSync::ask(Key key, MessageHeader header, std::uint32_t tag, std::uint64_t clock,
                    Outbox& outbox) {
  header.kind = MessageKind::kRefresh;
  const NodeId owner = node_.directory().home(key);
  if (!outbox.has(owner, header)) outbox.add(owner, header, pack(oldest_for(clock)));
  outbox.add(owner, header, {static_cast<std::uint32_t>(key), tag});
}

void ClockSync::on_refresh(Message message, Outbox& outbox) {
  if (unpack(message.keys()[0]) > clock_ && !options_.server_push) {
    parked_.push_back(std::move(message));
  } else {
    answer(message, outbox);
  }
}

void ClockSync::answer(const Message& request, Outbox& outbox) {
  MessageHeader header = request.header();
  header.kind = MessageKind::kFresh;
  const NodeId to = header.origin;
  outbox.add(to, header, pack(clock_));
  outbox.add(to, header, pack(peers_[to].received));
  for (const MessageKey& wanted : request.keys().subspan(1)) {
    const std::size_t length = node_.setup().keys.length(wanted.key);
    float* room = outbox.add_room(to, header, wanted, length);
    {
      const KeyLocks::Guard guard = node_.lock(wanted.key);
      copy_value(room, node_.value(wanted.key, node_.store().find(wanted.key)), length);
    }
    if (options_.server_push) subscribe(to, wanted.key, room, length);
  }
}

void ClockSync::on_fresh(const Message& message) {
  const MessageHeader& header = message.header();
  const Peer& peer = peers_[header.sender];
  const std::uint64_t stamp = options_.server_push ? ~std::uint64_t{0} : unpack(message.keys()[0]);
  const std::uint64_t received = unpack(message.keys()[1]);
  WorkerCore& worker = node_.worker(header.worker);
  const float* value = message.floats().data();
  for (const MessageKey& entry : message.keys().subspan(2)) {
    const std::size_t length = node_.setup().keys.length(entry.key);
    const Holding holding = node_.store().find(entry.key);
    const std::uint32_t copy =
        holding.held() == Held::kReplica ? holding.reference() : make(entry.key);
    const KeyLocks::Guard guard = node_.lock(entry.key);
    float* here = copies_.value(entry.key, copy);
    Copies::State state = copies_.state(entry.key, copy);
    // ESSP: changes have come since an earlier request of another worker was answered.
    const bool keep = options_.server_push && state.stamp != 0;
    if (!keep && stamp >= state.stamp) {
      copy_value(here, value, length);
      add_unconfirmed(peer, received, entry.key, here);
      add_value(here, copies_.sum(entry.key, copy), length);
      state.stamp = stamp;
      copies_.set_state(entry.key, copy, state);
    }
    worker.answered(header.op, entry.tag, {here, length});
    value += length;
  }
  worker.completed(header.op, header.num_keys - 2);
}

/// What this node has sent and the value does not contain yet.
void ClockSync::add_unconfirmed(const Peer& peer, std::uint64_t received, Key key,
                                float* value) const {
  const std::size_t length = node_.setup().keys.length(key);
  for (const Flush& flush : peer.unconfirmed) {
    if (flush.number <= received) continue;
    const auto found = std::ranges::lower_bound(flush.keys, key);
    if (found == flush.keys.end() || *found != key) continue;
    std::size_t offset = 0;
    for (auto before = flush.keys.begin(); before != found; ++before) {
      offset += node_.setup().keys.length(*before);
    }
    add_value(value, &flush.sums[offset], length);
  }
}

// --- changes from the owner

void ClockSync::subscribe(NodeId node, Key key, const float* value, std::size_t length) {
  Subscribed& subscribed = subscribed_[key];
  if (subscribed.nodes.empty()) {
    subscribed.base.assign(value, value + length);
    subscribed.known.resize(peers_.size());
  }
  std::vector<float>& known = subscribed.known[node];
  if (!known.empty()) return;
  subscribed.nodes.push_back(node);
  known.resize(length);
  for (std::size_t i = 0; i < length; ++i) known[i] = value[i] - subscribed.base[i];
}

void ClockSync::send_changes(Outbox& outbox) {
  MessageHeader header;
  header.kind = MessageKind::kChanges;
  header.origin = node_.node();
  for (NodeId to = 0; to < peers_.size(); ++to) {
    if (to != node_.node()) outbox.add(to, header, pack(clock_));
  }
  std::vector<float> change;
  for (auto& [key, subscribed] : subscribed_) {
    const std::size_t length = subscribed.base.size();
    change.resize(length);
    {
      const KeyLocks::Guard guard = node_.lock(key);
      const float* now = node_.value(key, node_.store().find(key));
      for (std::size_t i = 0; i < length; ++i) {
        change[i] = now[i] - subscribed.base[i];
        subscribed.base[i] = now[i];
      }
    }
    if (std::ranges::all_of(change, [](float x) { return x == 0.0F; })) continue;
    for (const NodeId to : subscribed.nodes) {
      std::vector<float>& known = subscribed.known[to];
      for (std::size_t i = 0; i < length; ++i) known[i] = change[i] - known[i];
      if (std::ranges::any_of(known, [](float x) { return x != 0.0F; })) {
        outbox.add(to, header, {static_cast<std::uint32_t>(key), 0}, known);
      }
      std::ranges::fill(known, 0.0F);
    }
  }
}

void ClockSync::on_changes(const Message& message) {
  const float* change = message.floats().data();
  for (const MessageKey& entry : message.keys().subspan(1)) {
    const std::size_t length = node_.setup().keys.length(entry.key);
    const KeyLocks::Guard guard = node_.lock(entry.key);
    const Holding holding = node_.store().find(entry.key);
    add_value(copies_.value(entry.key, holding.reference()), change, length);
    change += length;
  }
  peers_[message.header().sender].pushed = unpack(message.keys()[0]);
  wake();
}

}  // namespace pslab::manager
