#include "manager/sync_round.hpp"

#include <algorithm>
#include <utility>

#include "manager/node_core.hpp"

namespace pslab::manager {

SyncRound::SyncRound(NodeCore& node, const ReplicaLayout& layout, SyncMethod method)
    : node_(node), layout_(layout), steps_(sync_steps(method, node.node(), node.num_nodes())) {}

Message SyncRound::call(std::uint32_t round) {
  MessageHeader header;
  header.kind = MessageKind::kReplicaDelta;
  header.op = round;
  header.worker = kCall;
  return Message(header);
}

void SyncRound::begin(std::uint32_t round, const Deltas& own) {
  round_ = round;
  step_ = 0;
  sent_ = false;
  taken_ = 0;
  list_ = own;
}

void SyncRound::receive(Message message) {
  const MessageHeader& header = message.header();
  const Place place{header.op, header.worker, header.origin};
  waiting_.emplace(place, std::move(message));
}

bool SyncRound::advance() {
  for (; step_ < steps_.size(); ++step_, sent_ = false, taken_ = 0) {
    const SyncStep& step = steps_[step_];
    if (!sent_) send(step);
    sent_ = true;
    for (; taken_ < step.from.size(); ++taken_) {
      const auto message = waiting_.find({round_, step_, step.from[taken_]});
      if (message == waiting_.end()) return false;
      take(message->second, step.take);
      waiting_.erase(message);
    }
  }
  return true;
}

void SyncRound::send(const SyncStep& step) {
  if (step.split_by_home) return split_by_home(step);
  for (const NodeId to : step.to) send_list(to, list_.view());
}

void SyncRound::split_by_home(const SyncStep& step) {
  std::vector<Deltas> of_home(node_.num_nodes());
  const float* delta = list_.floats.data();
  for (const MessageKey& number : list_.numbers) {
    const std::size_t length = layout_.length(number.key);
    of_home[node_.directory().home(layout_.key(number.key))].append(number.key, {delta, length});
    delta += length;
  }
  for (const NodeId to : step.to) send_list(to, of_home[to].view());
  list_ = std::move(of_home[node_.node()]);
}

void SyncRound::send_list(NodeId to, DeltasView list) {
  MessageHeader header;
  header.kind = MessageKind::kReplicaDelta;
  header.origin = node_.node();
  header.op = round_;
  header.worker = step_;
  header.num_keys = static_cast<std::uint32_t>(list.numbers.size());
  header.num_floats = static_cast<std::uint32_t>(list.floats.size());
  Message message(header);
  std::ranges::copy(list.numbers, message.keys().begin());
  std::ranges::copy(list.floats, message.floats().begin());
  node_.transmit(to, std::move(message));
}

void SyncRound::take(const Message& message, SyncStep::Take how) {
  const DeltasView list{message.keys(), message.floats()};
  if (how == SyncStep::Take::kReplace) return list_.assign(list);
  add(layout_, list_.view(), list, next_list_);
  std::swap(list_, next_list_);
}

}  // namespace pslab::manager
