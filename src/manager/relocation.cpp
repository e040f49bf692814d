// The relocation protocol (Lapse, section 3.5): localize goes to the home, which at once takes the
// asker for the owner and has the old owner hand the key over; the old owner sends the value to the
// asker. Accesses and a later localize that reach the asker before the value wait in its transfer
// record.
#include "manager/node_core.hpp"
#include "manager/values.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {
MessageHeader relocation_header(MessageKind kind, NodeId new_owner) {
  MessageHeader header;
  header.kind = kind;
  header.origin = new_owner;
  return header;
}
}  // namespace

std::uint32_t NodeCore::request(Key key, Outbox& outbox) {
  const std::uint32_t transfer = transfers_->open();
  store_->set(key, Holding(Held::kArriving, transfer));
  const MessageKey entry{static_cast<std::uint32_t>(key), 0};
  if (directory_->is_home(key)) {
    const NodeId owner = directory_->owner(key);
    if (owner == self_) broken("localize of a key that its home believes to be here", key);
    directory_->set_owner(key, self_);
    outbox.add(owner, relocation_header(MessageKind::kHandOver, self_), entry);
  } else {
    outbox.add(directory_->home(key), relocation_header(MessageKind::kLocalize, self_), entry);
  }
  return transfer;
}

void NodeCore::on_localize(const Message& message) {
  const NodeId asker = message.header().origin;
  for (const MessageKey& entry : message.keys()) {
    if (hubs_ != nullptr && asker == self_) continue;  // waited behind a node that got a copy
    if (hubs_ != nullptr && hubs_->is_hub(entry.key)) {
      hubs_->grant(entry.key, asker, outbox_);
      continue;
    }
    const NodeId owner = directory_->owner(entry.key);
    if (owner == asker) broken("localize by the node that its home takes for the owner", entry.key);
    directory_->set_owner(entry.key, asker);
    if (owner == self_) {
      give_away(entry.key, asker);
    } else {
      outbox_.add(owner, relocation_header(MessageKind::kHandOver, asker), entry);
    }
  }
}

void NodeCore::on_hand_over(const Message& message) {
  for (const MessageKey& entry : message.keys()) give_away(entry.key, message.header().origin);
}

void NodeCore::give_away(Key key, NodeId to) {
  const Holding holding = store_->find(key);
  directory_->saw(key, to);
  if (holding.held() == Held::kArriving) {
    Transfer& record = transfers_->at(holding.reference());
    if (record.next != Transfer::kNobody) broken("two later localizes wait for one transfer", key);
    record.next = to;
    counters_.relocation_conflicts += 1;
    return;
  }
  if (holding.held() != Held::kOwned) broken("hand-over by a node that does not own the key", key);
  if (hubs_ != nullptr && hubs_->keeps(key)) return hubs_->share(key, to, outbox_);
  const std::size_t length = setup_.keys.length(key);
  float* room = outbox_.add_room(to, relocation_header(MessageKind::kTransfer, to),
                                 {static_cast<std::uint32_t>(key), 0}, length);
  const KeyLocks::Guard guard = lock(key);
  copy_value(room, store_->value(key, holding), length);
  store_->remove(key, holding);
}

void NodeCore::on_transfer(const Message& message) {
  const float* value = message.floats().data();
  for (const MessageKey& entry : message.keys()) {
    const std::size_t length = setup_.keys.length(entry.key);
    arrive(entry.key, {value, length});
    value += length;
  }
}

void NodeCore::arrive(Key key, std::span<const float> value) {
  if (hubs_ != nullptr && hubs_->take_over(key, value)) {
    counters_.relocations += 1;
    return;
  }
  const Holding holding = store_->find(key);
  if (holding.held() != Held::kArriving) broken("a value arrived that nobody asked for", key);
  Transfer& record = transfers_->at(holding.reference());
  const Holding owned = store_->allocate(key);
  copy_value(store_->value(key, owned), value.data(), value.size());
  serve_queue(key, record, owned);
  {
    const KeyLocks::Guard guard = lock(key);
    store_->set(key, owned);
  }
  counters_.relocations += 1;
  complete_localizers(record);
  const NodeId next = record.next;
  transfers_->close(holding.reference());
  if (next != Transfer::kNobody) give_away(key, next);
}

void NodeCore::complete_localizers(const Transfer& record) {
  for (const Asker& waiting : record.localizers) workers_[waiting.worker]->completed(waiting.op);
}

void NodeCore::serve_queue(Key key, const Transfer& record, Holding here) {
  const std::size_t length = setup_.keys.length(key);
  const float* delta = record.deltas.data();
  for (const QueuedAccess& access : record.queue) {
    if (access.is_push) {
      add(key, here, delta, length);
      delta += length;
      if (access.by_message) --pushes_in_flight_;
      acknowledge(access.asker, key);
    } else {
      answer_pull(access.asker, key, value(key, here), length);
    }
  }
}

}  // namespace pslab::manager
