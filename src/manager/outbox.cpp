#include "manager/outbox.hpp"

#include <algorithm>

namespace pslab::manager {

namespace {
bool same(const MessageHeader& a, const MessageHeader& b) {
  return a.kind == b.kind && a.origin == b.origin && a.worker == b.worker && a.op == b.op;
}
}  // namespace

std::uint32_t Outbox::newest(NodeId to) const {
  if (to >= newest_.size()) return kNone;
  const std::uint32_t number = newest_[to];
  return number < used_ && drafts_[number].to == to ? number : kNone;
}

std::uint32_t Outbox::find(NodeId to, const MessageHeader& header) const {
  const auto is = [&](std::size_t i) {
    return drafts_[i].to == to && same(drafts_[i].header, header);
  };
  if (last_ < used_ && is(last_)) return static_cast<std::uint32_t>(last_);
  for (std::uint32_t i = 0; i < std::min(used_, kRow); ++i) {
    if (is(i)) return i;
  }
  std::uint32_t i = newest(to);
  while (i != kNone && !is(i)) i = drafts_[i].previous;
  return i;
}

Outbox::Draft& Outbox::draft(NodeId to, const MessageHeader& header) {
  if (const std::uint32_t found = find(to, header); found != kNone) {
    last_ = found;
    return drafts_[found];
  }
  if (used_ == drafts_.size()) drafts_.emplace_back();
  const std::uint32_t before = newest(to);
  last_ = used_++;
  Draft& fresh = drafts_[last_];
  fresh.to = to;
  fresh.header = header;
  fresh.keys.clear();
  fresh.floats.clear();
  fresh.previous = before;
  if (last_ >= kRow) {
    if (to >= newest_.size()) newest_.resize(std::size_t{to} + 1, kNone);
    newest_[to] = static_cast<std::uint32_t>(last_);
  }
  return fresh;
}

bool Outbox::has(NodeId to, const MessageHeader& header) const {
  return find(to, header) != kNone;
}

void Outbox::add(NodeId to, const MessageHeader& header, MessageKey key,
                 std::span<const float> values) {
  Draft& target = draft(to, header);
  target.keys.push_back(key);
  target.floats.insert(target.floats.end(), values.begin(), values.end());
}

float* Outbox::add_room(NodeId to, const MessageHeader& header, MessageKey key,
                        std::size_t length) {
  Draft& target = draft(to, header);
  target.keys.push_back(key);
  target.floats.resize(target.floats.size() + length);
  return &target.floats[target.floats.size() - length];
}

Message Outbox::Draft::finish() {
  header.num_keys = static_cast<std::uint32_t>(keys.size());
  header.num_floats = static_cast<std::uint32_t>(floats.size());
  Message message(header);
  std::copy(keys.begin(), keys.end(), message.keys().begin());
  std::copy(floats.begin(), floats.end(), message.floats().begin());
  constexpr std::size_t kKeptFloats = 4096;  // a rare large message should not hold memory for ever
  if (floats.capacity() > kKeptFloats) floats = {};
  return message;
}

}  // namespace pslab::manager
