// What the processes of a random run share, to check it: who pushed how often, and how every node
// ends. In memory that child processes share, or in a file that all of them map.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.hpp"

namespace pslab::test {

class Board {
 public:
  /// `file` is empty: memory of this process and its children. Else it is made if need be; new
  /// memory is zero.
  Board(const std::string& file, WorkerId workers, NodeId nodes, Key keys);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  std::atomic<int>& pushed(WorkerId worker, Key key) { return numbers_[worker * keys_ + key]; }
  /// What a node holds of a key at the end (manager::Held).
  std::atomic<int>& held(NodeId node, Key key) { return numbers_[held_ + node * keys_ + key]; }
  /// Whom a key's home takes for the owner.
  std::atomic<int>& owner(Key key) { return numbers_[owner_ + key]; }
  /// A hash of a node's replica of a key at the end.
  std::atomic<int>& replica_bits(NodeId node, Key key) {
    return numbers_[bits_ + node * keys_ + key];
  }
  std::atomic<int>& open_work(NodeId node) { return numbers_[open_ + node]; }
  std::atomic<int>& ended() { return numbers_[ended_]; }  ///< workers that came to their end

 private:
  std::size_t keys_, held_, bits_, owner_, open_, ended_;
  std::atomic<int>* numbers_ = nullptr;
};

}  // namespace pslab::test
