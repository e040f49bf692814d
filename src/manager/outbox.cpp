#include "manager/outbox.hpp"

#include <algorithm>

namespace pslab::manager {

namespace {
bool same(const MessageHeader& a, const MessageHeader& b) {
  return a.kind == b.kind && a.origin == b.origin && a.worker == b.worker && a.op == b.op;
}
}  // namespace

Outbox::Draft& Outbox::draft(NodeId to, const MessageHeader& header) {
  if (last_ < used_ && drafts_[last_].to == to && same(drafts_[last_].header, header)) {
    return drafts_[last_];
  }
  for (std::size_t i = 0; i < used_; ++i) {
    if (drafts_[i].to == to && same(drafts_[i].header, header)) {
      last_ = i;
      return drafts_[i];
    }
  }
  if (used_ == drafts_.size()) drafts_.emplace_back();
  last_ = used_++;
  Draft& fresh = drafts_[last_];
  fresh.to = to;
  fresh.header = header;
  fresh.keys.clear();
  fresh.floats.clear();
  return fresh;
}

bool Outbox::has(NodeId to, const MessageHeader& header) const {
  return std::any_of(
      drafts_.begin(), drafts_.begin() + static_cast<std::ptrdiff_t>(used_),
      [&](const Draft& draft) { return draft.to == to && same(draft.header, header); });
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
