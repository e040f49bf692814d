// Pulls and pushes of other nodes' workers (and of this node's, where fast local access is off),
// and the answers to this node's own.
#include "manager/node_core.hpp"
#include "manager/values.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {
/// How many keys of a message ahead values are fetched into the processor's caches.
constexpr std::size_t kAhead = 8;
}  // namespace

void NodeCore::on_pull(const Message& message) {
  const MessageHeader& header = message.header();
  MessageHeader reply = header;
  reply.kind = MessageKind::kPullReply;
  const auto keys = message.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const MessageKey& wanted = keys[i];
    if (i + kAhead < keys.size()) prefetch(keys[i + kAhead].key);
    const Holding holding = store_->find(wanted.key);
    switch (holding.held()) {
      case Held::kOwned:
      case Held::kReplica:
        reply_with_value(header.origin, reply, wanted, holding);
        break;
      case Held::kArriving:
        queue_access(holding.reference(),
                     {{header.origin, header.worker, header.op, wanted.tag}, false, true}, {});
        break;
      case Held::kAbsent: {
        outbox_.add(forward_to(wanted.key, header.sender), header, wanted);
        break;
      }
    }
  }
}

void NodeCore::reply_with_value(NodeId to, const MessageHeader& header, MessageKey key,
                                Holding holding) {
  const std::size_t length = setup_.keys.length(key.key);
  float* room = outbox_.add_room(to, header, key, length);
  const KeyLocks::Guard guard = lock(key.key);
  copy_value(room, value(key.key, holding), length);
}

// Where an operation goes on whose key is neither here nor on its way here. What a home sends finds
// its key: the home tells a node to hand a key over after everything that it sent there before.
NodeId NodeCore::forward_to(Key key, NodeId sender) const {
  const NodeId next = directory_->forward(key);
  if (next == self_) broken("the home takes itself for the owner, but does not own the key", key);
  if (sender == directory_->home(key) && sender != self_) {
    broken("the home sent an operation to a node that does not own the key", key);
  }
  return next;
}

void NodeCore::on_push(const Message& message) {
  const MessageHeader& header = message.header();
  const float* delta = message.floats().data();
  const auto keys = message.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const MessageKey& target = keys[i];
    if (i + kAhead < keys.size()) prefetch(keys[i + kAhead].key);
    const std::size_t length = setup_.keys.length(target.key);
    const Asker asker{header.origin, header.worker, header.op, target.tag};
    const Holding holding = store_->find(target.key);
    switch (holding.held()) {
      case Held::kOwned:
      case Held::kReplica: {
        const KeyLocks::Guard guard = lock(target.key);
        add(target.key, holding, delta, length);
      }
        --pushes_in_flight_;
        acknowledge(asker, target.key);
        break;
      case Held::kArriving:
        queue_access(holding.reference(), {asker, true, true}, {delta, length});
        break;
      case Held::kAbsent: {
        outbox_.add(forward_to(target.key, header.sender), header, target, {delta, length});
        break;
      }
    }
    delta += length;
  }
}

void NodeCore::queue_access(std::uint32_t transfer, const QueuedAccess& access,
                            std::span<const float> delta) {
  Transfer& record = transfers_->at(transfer);
  record.queue.push_back(access);
  record.deltas.insert(record.deltas.end(), delta.begin(), delta.end());
}

void NodeCore::answer_pull(const Asker& asker, Key key, const float* value, std::size_t length) {
  if (asker.origin == self_) {
    workers_[asker.worker]->answered(asker.op, asker.tag, {value, length});
    workers_[asker.worker]->completed(asker.op);
    return;
  }
  MessageHeader reply;
  reply.kind = MessageKind::kPullReply;
  reply.origin = asker.origin;
  reply.worker = asker.worker;
  reply.op = asker.op;
  outbox_.add(asker.origin, reply, {static_cast<std::uint32_t>(key), asker.tag}, {value, length});
}

void NodeCore::acknowledge(const Asker& asker, Key key) {
  if (asker.op == WorkerCore::kNoOperation) return;
  if (asker.origin == self_) {
    workers_[asker.worker]->completed(asker.op);
    return;
  }
  MessageHeader reply;
  reply.kind = MessageKind::kPushAck;
  reply.origin = asker.origin;
  reply.worker = asker.worker;
  reply.op = asker.op;
  outbox_.add(asker.origin, reply, {static_cast<std::uint32_t>(key), asker.tag});
}

void NodeCore::on_pull_reply(const Message& message) {
  const MessageHeader& header = message.header();
  WorkerCore& worker = *workers_[header.worker];
  const float* value = message.floats().data();
  for (const MessageKey& answer : message.keys()) {
    const std::size_t length = setup_.keys.length(answer.key);
    worker.answered(header.op, answer.tag, {value, length});
    directory_->saw(answer.key, header.sender);
    value += length;
  }
  worker.completed(header.op, header.num_keys);
}

void NodeCore::on_push_ack(const Message& message) {
  const MessageHeader& header = message.header();
  workers_[header.worker]->completed(header.op, header.num_keys);
}

}  // namespace pslab::manager
