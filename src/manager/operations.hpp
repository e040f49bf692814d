// One worker's operations that are under way. The worker opens and closes them; handlers of its
// node count down what remains.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/key_space.hpp"
#include "metrics/ledger.hpp"

namespace pslab::manager {

struct Operation {
  std::atomic<std::uint32_t> remaining = 0;               ///< keys that have not been answered
  metrics::Time reason = metrics::Time::kRelocationWait;  ///< what waiting for it counts as
  Key asked_key = 0;                                      ///< of the last message that it sent
  NodeId asked_node = kNobody;                            ///< whom that asked
  float* values = nullptr;           ///< where pulled values go; null: nothing is read
  std::uint32_t uniform_length = 0;  ///< of every value; 0: see offsets
  std::vector<std::size_t> offsets;  ///< of each position's value, where lengths differ

  static constexpr NodeId kNobody = ~NodeId{0};

  void waits_for(metrics::Time time, Key key, NodeId node) {
    reason = time;
    asked_key = key;
    asked_node = node;
  }
  /// "3 key(s), among them key 5, asked of node 2".
  std::string text() const {
    const std::string keys = fmt::format("{} key(s)", remaining.load());
    if (asked_node == kNobody) return keys + " on their way to its node";
    return fmt::format("{} of a {}, the last asked for being key {}, of node {}", keys,
                       values != nullptr                          ? "pull"
                       : reason == metrics::Time::kRelocationWait ? "localize"
                                                                  : "push",
                       asked_key, asked_node);
  }
  float* place(std::uint32_t tag) {
    return values + (uniform_length != 0 ? std::size_t{tag} * uniform_length : offsets[tag]);
  }
};

class Operations {
 public:
  std::uint32_t open(const KeySpace& space, std::span<const Key> keys, float* values) {
    if (free_.empty()) {
      all_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(all_.size() - 1));
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    Operation& operation = all_[number];
    operation.remaining = 0;
    operation.reason = metrics::Time::kRelocationWait;
    operation.asked_node = Operation::kNobody;
    operation.values = values;
    operation.uniform_length = space.uniform_length();
    if (values != nullptr && operation.uniform_length == 0) {
      operation.offsets.clear();
      std::size_t offset = 0;
      for (const Key key : keys) {
        operation.offsets.push_back(offset);
        offset += space.length(key);
      }
    }
    return number;
  }
  Operation& at(std::uint32_t number) { return all_[number]; }
  const Operation& at(std::uint32_t number) const { return all_[number]; }
  void close(std::uint32_t number) { free_.push_back(number); }
  std::size_t num_open() const { return all_.size() - free_.size(); }

 private:
  std::deque<Operation> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace pslab::manager
