// Keys on their way to this node (literature: Lapse, section 3.5). Accesses that come before the
// value wait in its record, in order; at most one later localize can be waiting, since the home
// serialises them.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/types.hpp"

namespace pslab::manager {

/// Who waits for one key of an operation.
struct Asker {
  NodeId origin = 0;
  std::uint32_t worker = 0;
  std::uint32_t op = 0;
  std::uint32_t tag = 0;
};

struct QueuedAccess {
  Asker asker;
  bool is_push = false;
  bool by_message = false;  ///< came from the network rather than from a worker of this node
};

struct Transfer {
  static constexpr NodeId kNobody = ~NodeId{0};

  std::vector<QueuedAccess> queue;  ///< pulls and pushes, in order of arrival
  std::vector<float> deltas;        ///< of the queued pushes, one value after the other
  std::vector<Asker> localizers;    ///< local operations that wait for the key to be here
  NodeId next = kNobody;            ///< node that gets the value after this one
};

class Transfers {
 public:
  /// An empty record's number.
  std::uint32_t open() {
    ++open_;
    if (free_.empty()) {
      records_.emplace_back();
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  Transfer& at(std::uint32_t number) { return records_[number]; }
  void close(std::uint32_t number) {
    Transfer& record = records_[number];
    record.queue.clear();
    record.deltas.clear();
    record.localizers.clear();
    record.next = Transfer::kNobody;
    free_.push_back(number);
    --open_;
  }
  std::size_t num_open() const { return open_; }

 private:
  std::deque<Transfer> records_;
  std::vector<std::uint32_t> free_;
  std::size_t open_ = 0;
};

}  // namespace pslab::manager
