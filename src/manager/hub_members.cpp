// Who has a copy of a key: shared by its owner, granted by its hub, until only one node is left.
#include "manager/hubs.hpp"
#include "manager/node_core.hpp"
#include "manager/values.hpp"

namespace pslab::manager {

namespace {
MessageKey entry_of(Key key) {
  return {static_cast<std::uint32_t>(key), 0};
}
}  // namespace

bool Hubs::keeps(Key key) const {
  std::uint32_t interested = interests_.active(key) ? 1 : 0;
  return !node_.setup().strategy.moves(key, interested);
}

void Hubs::share(Key key, NodeId with, Outbox& outbox) {
  if (node_.directory().is_home(key)) {
    own_to_copy(key);
    node_.directory().set_owner(key, node_.node());
    hubs_.open(key);
    grant(key, with, outbox);
    return;
  }
  MessageHeader to_home = header(MessageKind::kShare);
  to_home.op = with;
  const std::size_t length = node_.setup().keys.length(key);
  own_to_copy(key);
  outbox.add(node_.directory().home(key), to_home, entry_of(key),
             {copies_.value(key, copy_of(key)), length});
}

void Hubs::on_share(const Message& message, Outbox& outbox) {
  const NodeId asker = message.header().op;
  const float* value = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    const Key key = entry.key;
    const std::size_t length = node_.setup().keys.length(key);
    const Holding before = node_.store().find(key);
    const std::uint32_t copy = make_copy(key, {value, length});
    value += length;
    node_.directory().set_owner(key, node_.node());
    hubs_.open(key);
    hubs_.add_node(key, message.header().origin);
    NodeId next = Transfer::kNobody;
    if (before.held() == Held::kArriving) {
      Transfer& record = node_.transfers().at(before.reference());
      next = record.next;
      resolve(key, record, copy);
      node_.transfers().close(before.reference());
    } else {
      const KeyLocks::Guard guard = node_.lock(key);
      node_.store().set(key, Holding(Held::kReplica, copy));
    }
    if (asker != node_.node()) grant(key, asker, outbox);
    if (next != Transfer::kNobody) grant(key, next, outbox);
  }
}

void Hubs::grant(Key key, NodeId to, Outbox& outbox) {
  const std::size_t length = node_.setup().keys.length(key);
  const std::uint32_t copy = copy_of(key);
  const KeyLocks::Guard guard = node_.lock(key);
  outbox.add(to, header(MessageKind::kGrant), entry_of(key), {copies_.value(key, copy), length});
  // It knows all of this window's changes, and what workers here have pushed.
  hubs_.set_known(key, to, {copies_.sum(key, copy), length});
  hubs_.add_node(key, to);
}

void Hubs::on_grant(const Message& message, Outbox& outbox) {
  const float* value = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    const Key key = entry.key;
    const std::size_t length = node_.setup().keys.length(key);
    const Holding before = node_.store().find(key);
    if (before.held() != Held::kArriving) node_.broken("a copy that nobody asked for", key);
    Transfer& record = node_.transfers().at(before.reference());
    resolve(key, record, make_copy(key, {value, length}));
    value += length;
    if (record.next != Transfer::kNobody) {
      MessageHeader wanted = header(MessageKind::kLocalize);
      wanted.origin = record.next;
      outbox.add(node_.directory().home(key), wanted, entry_of(key));
    }
    node_.transfers().close(before.reference());
  }
}

// --- the end of a hub

void Hubs::leave(Key key, NodeId node, Outbox& outbox) {
  hubs_.remove_node(key, node);
  if (hubs_.count_nodes(key) == 0) {
    dissolve(key);
  } else {
    offer_if_alone(key, outbox);
  }
}

void Hubs::dissolve(Key key) {
  const std::size_t length = node_.setup().keys.length(key);
  const KeyLocks::Guard guard = node_.lock(key);
  const std::uint32_t copy = copy_of(key);
  const Holding owned = node_.store().allocate(key);
  copy_value(node_.store().value(key, owned), copies_.value(key, copy), length);
  copies_.drop(key, copy);
  node_.store().set(key, owned);
  hubs_.close(key);
}

void Hubs::offer_if_alone(Key key, Outbox& outbox) {
  if (hubs_.offered(key) || hubs_.count_nodes(key) != 1 || keeps(key)) return;
  hubs_.set_offered(key, true);
  outbox.add(hubs_.first_node(key), header(MessageKind::kOffer), entry_of(key));
}

void Hubs::on_offer(const Message& message, Outbox& outbox) {
  for (const MessageKey& entry : message.keys()) {
    const Key key = entry.key;
    // Otherwise this node has told, or is about to tell, that it has dropped the key.
    if (node_.store().find(key).held() != Held::kReplica || !interests_.active(key)) continue;
    const std::uint32_t copy = copy_of(key);
    const KeyLocks::Guard guard = node_.lock(key);
    outbox.add(node_.directory().home(key), header(MessageKind::kAccept), entry_of(key),
               {copies_.sum(key, copy), node_.setup().keys.length(key)});
    copies_.clear_sum(key, copy);
    node_.count_pushed(1);
    taking_over_.set(key, 1);
  }
}

void Hubs::on_accept(const Message& message, Outbox& outbox) {
  const NodeId from = message.header().origin;
  const float* sum = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    const Key key = entry.key;
    const std::size_t length = node_.setup().keys.length(key);
    receive_sum(key, from, {sum, length});
    sum += length;
    hubs_.set_offered(key, false);
    if (hubs_.count_nodes(key) != 1 || keeps(key)) {
      outbox.add(from, header(MessageKind::kKeep), entry_of(key));
      continue;
    }
    const KeyLocks::Guard guard = node_.lock(key);
    MessageHeader transfer = header(MessageKind::kTransfer);
    transfer.origin = from;
    outbox.add(from, transfer, entry_of(key), {copies_.value(key, copy_of(key)), length});
    drop_copy(key);
    hubs_.close(key);
    node_.directory().set_owner(key, from);
  }
}

bool Hubs::take_over(Key key, std::span<const float> value) {
  if (!taking_over_.erase(key)) return false;
  const KeyLocks::Guard guard = node_.lock(key);
  const std::uint32_t copy = copy_of(key);
  const Holding owned = node_.store().allocate(key);
  float* here = node_.store().value(key, owned);
  copy_value(here, value.data(), value.size());
  add_value(here, copies_.sum(key, copy), value.size());
  copies_.drop(key, copy);
  --num_copies_;
  node_.store().set(key, owned);
  return true;
}

void Hubs::on_keep(const Message& message) {
  for (const MessageKey& entry : message.keys()) {
    taking_over_.erase(entry.key);
    later_.push_back(entry.key);
    if (!interests_.active(entry.key)) ended_.push_back(entry.key);
  }
}

}  // namespace pslab::manager
