#include "api/message.hpp"

#include <array>
#include <new>

namespace pslab {

static_assert(sizeof(MessageHeader) == 28 && sizeof(MessageKey) == 8);

const char* name(MessageKind kind) {
  constexpr std::array<const char*, kMessageKinds> kNames = {
      "pull",          "pull_reply", "push",  "push_ack", "localize", "hand_over", "transfer",
      "replica_delta", "collective", "flush", "refresh",  "fresh",    "changes",   "share",
      "grant",         "sums",       "offer", "accept",   "keep"};
  return kNames[static_cast<std::size_t>(kind)];
}

Message::Message(const MessageHeader& header)
    : size_(sizeof(MessageHeader) + header.num_keys * sizeof(MessageKey) +
            header.num_floats * sizeof(float)) {
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  new (bytes_.get()) MessageHeader(header);
}

Message Message::of_size(std::size_t bytes) {
  Message message;
  message.size_ = bytes;
  message.bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  return message;
}

std::span<MessageKey> Message::keys() {
  return {reinterpret_cast<MessageKey*>(bytes_.get() + sizeof(MessageHeader)), header().num_keys};
}

std::span<const MessageKey> Message::keys() const {
  return {reinterpret_cast<const MessageKey*>(bytes_.get() + sizeof(MessageHeader)),
          header().num_keys};
}

std::span<float> Message::floats() {
  return {reinterpret_cast<float*>(keys().data() + header().num_keys), header().num_floats};
}

std::span<const float> Message::floats() const {
  return {reinterpret_cast<const float*>(keys().data() + header().num_keys), header().num_floats};
}

}  // namespace pslab
