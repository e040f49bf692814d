// Defects for runs whose history is checked.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "manager/node_core.hpp"
#include "run/training.hpp"
#include "tests/conformance/tampering.hpp"

namespace pslab::test {

using Change = std::function<void(Message&, run::Training&, NodeId)>;

/// Changes messages of a kind before a node gets them.
inline Mutant changing(MessageKind kind, const Change& change) {
  Mutant mutant;
  mutant.wrap_receiver = [kind, change](Receiver& original, NodeId node, Program& program) {
    return std::make_unique<TamperingReceiver>(
        original, [kind, change, node, &program](Message message, Receiver& next) {
          if (message.header().kind == kind) {
            change(message, dynamic_cast<run::Training&>(program), node);
          }
          next.receive(std::move(message));
        });
  };
  return mutant;
}

/// Values in messages of a kind, or the first `share` of each, are those that the same node got for
/// the key the time before.
inline Mutant replaying(MessageKind kind, double share) {
  using Last = std::map<std::pair<NodeId, std::uint32_t>, std::vector<float>>;
  return changing(kind, [last = std::make_shared<Last>(), share](
                            Message& message, run::Training& training, NodeId node) {
    float* value = message.floats().data();
    for (const MessageKey& key : message.keys()) {
      const std::size_t length = training.stored_keys().length(key.key);
      std::vector<float>& before = (*last)[{node, key.key}];
      const std::vector<float> now(value, value + length);
      const auto part = static_cast<std::size_t>(share * static_cast<double>(length));
      if (!before.empty()) std::copy_n(before.begin(), part, value);
      before = now;
      value += length;
    }
  });
}

/// What is added by messages of a kind is added twice.
inline Mutant doubling(MessageKind kind) {
  return changing(kind, [](Message& message, run::Training&, NodeId) {
    for (float& delta : message.floats()) delta *= 2.0F;
  });
}

}  // namespace pslab::test
