// Collects what one call or one handler has to say, so that each destination gets one message for
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/message.hpp"

namespace pslab::manager {

class Outbox {
 public:
  /// Adds a key (and values) to the message with this destination and header; num_keys and
  /// num_floats of the header are ignored.
  void add(NodeId to, const MessageHeader& header, MessageKey key,
           std::span<const float> values = {});
  /// The same, with room for `length` floats that the caller fills at once.
  float* add_room(NodeId to, const MessageHeader& header, MessageKey key, std::size_t length);

  /// Whether a message with this destination and header has been begun.
  bool has(NodeId to, const MessageHeader& header) const;
  bool empty() const { return used_ == 0; }

  /// Calls send(to, message) for each, in the order in which they were begun, and is empty then.
  template <typename Send>
  void flush(Send send) {
    const std::size_t count = used_;
    used_ = 0;
    for (std::size_t i = 0; i < count; ++i) send(drafts_[i].to, drafts_[i].finish());
  }

 private:
  struct Draft {
    NodeId to = 0;
    MessageHeader header;
    std::vector<MessageKey> keys;
    std::vector<float> floats;
    std::uint32_t previous = kNone;  ///< the one before it to this destination, if not in the row
    Message finish();
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// So many drafts are searched one after the other; those after them by destination.
  static constexpr std::size_t kRow = 8;

  /// The number of the draft with this destination and header, or kNone.
  std::uint32_t find(NodeId to, const MessageHeader& header) const;
  /// Of the drafts to this destination that are not in the row, the one begun last, or kNone.
  std::uint32_t newest(NodeId to) const;
  Draft& draft(NodeId to, const MessageHeader& header);

  std::vector<Draft> drafts_;  ///< the first used_ are live; the rest keep their memory for later
  std::vector<std::uint32_t> newest_;  ///< by destination; may be of an earlier use
  std::size_t used_ = 0;
  std::size_t last_ = 0;
};

}  // namespace pslab::manager
