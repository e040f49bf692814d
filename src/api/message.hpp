// What nodes send to each other: one flat block of bytes, the same in every backend, so that
// message counts and sizes agree between simulation and reality. Strategies and workloads never see
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/types.hpp"

namespace pslab {

enum class MessageKind : std::uint8_t {
  kPull,          ///< read values; travels to the owner
  kPullReply,     ///< values, to the node that asked
  kPush,          ///< add to values; travels to the owner
  kPushAck,       ///< an acknowledged push was applied
  kLocalize,      ///< to the home: the origin wants to own these keys
  kHandOver,      ///< home to the old owner: give these keys to the origin
  kTransfer,      ///< old owner to new owner: the values
  kReplicaDelta,  ///< one step of an all-reduce round over replicas
  kCollective,    ///< barriers and what travels with them
  kFlush,         ///< what a node has pushed to its copies during a clock; to the owner
  kRefresh,       ///< give me values that are new enough; to the owner
  kFresh,         ///< these values
  kChanges,       ///< what others have pushed to a copy
  kShare,         ///< to the home: be the hub of these keys; the values
  kGrant,         ///< from the hub: a copy
  kSums,          ///< to the hub: what was pushed to copies; which ones are dropped
  kOffer,         ///< from the hub: you may own these keys
  kAccept,        ///< to the hub: yes; the last sums
  kKeep,          ///< from the hub: keep the copy, others have come
};
inline constexpr std::size_t kMessageKinds = 19;
const char* name(MessageKind kind);

/// One key of a message. `tag` is the position in the call that the key came from, so that replies
/// find their place however an operation was split.
struct MessageKey {
  std::uint32_t key = 0;
  std::uint32_t tag = 0;
};

struct MessageHeader {
  MessageKind kind = MessageKind::kPull;
  NodeId sender = 0;         ///< node that sent this message; set on the way out
  NodeId origin = 0;         ///< node that started the operation
  std::uint32_t worker = 0;  ///< local index of its worker; other kinds: see where they are made
  std::uint32_t op = 0;      ///< that worker's operation
  std::uint32_t num_keys = 0;
  std::uint32_t num_floats = 0;
};

/// Owns its bytes. Move only; empty after it was moved from.
class Message {
 public:
  Message() = default;
  /// Uninitialised keys and floats of the numbers that `header` says.
  explicit Message(const MessageHeader& header);
  /// Of this many bytes, which the caller fills with those of a message.
  static Message of_size(std::size_t bytes);

  MessageHeader& header() { return *reinterpret_cast<MessageHeader*>(bytes_.get()); }
  const MessageHeader& header() const {
    return *reinterpret_cast<const MessageHeader*>(bytes_.get());
  }
  std::span<MessageKey> keys();
  std::span<const MessageKey> keys() const;
  std::span<float> floats();
  std::span<const float> floats() const;
  /// Bytes on the wire.
  std::size_t size() const { return size_ + unstored_; }
  /// Each float stands for this many of a value: the others count as well (simulation only).
  void represent(std::uint32_t floats) {
    unstored_ = std::size_t{header().num_floats} * sizeof(float) * (floats - 1);
  }
  std::span<std::byte> bytes() { return {bytes_.get(), size_}; }
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }
  bool empty() const { return bytes_ == nullptr; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t unstored_ = 0;
};

}  // namespace pslab
