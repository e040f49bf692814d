// Replicas of the keys that every node holds a copy of, kept in step by periodic sparse all-reduce
// of deltas (NuPS, section 4.2) over a butterfly, for any number of nodes.
//
// A round, on every node: the keys changed since the last round give deltas (local value minus the
// value all agreed on last); the sum of the deltas of all nodes is added to the agreed value, and
// the local value becomes the agreed one plus what was pushed here meanwhile. With N nodes and P
// the largest power of two in N, the N - P extra nodes hand their deltas to a partner first and get
// the sum from it last; the P nodes exchange and merge in log2 P steps. Rounds are in lock-step;
// each node starts one when it is due.
//
// Values and change marks are guarded by the locks of their keys: workers add to them meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "api/key_space.hpp"
#include "api/message.hpp"
#include "api/strategy.hpp"

namespace pslab::manager {

class NodeCore;

class Replicas {
 public:
  /// `keys` are the replicated keys; their values start at 0 until initialise().
  Replicas(NodeCore& node, const KeySpace& space, std::vector<Key> keys, AllReduce options);

  std::size_t size() const { return keys_.size(); }
  Key key(std::uint32_t number) const { return keys_[number]; }
  float* value(std::uint32_t number) { return &values_[offset_[number]]; }
  std::span<const float> agreed(std::uint32_t number) const;
  /// Sets value and agreed value; before training only.
  void initialise(std::uint32_t number, std::span<const float> value);
  void mark_changed(std::uint32_t number) { changed_[number].store(1, std::memory_order_relaxed); }

  /// Rounds at the rate of the options, from now on / no longer (a round under way ends).
  void resume();
  void pause() { timed_ = false; }
  std::uint32_t rounds_started() const { return started_; }
  std::uint32_t rounds_done() const { return done_; }
  /// Runs rounds at once until `target` are done; on_done is called then (perhaps right away).
  void run_until(std::uint32_t target, void (NodeCore::*on_done)());

  void receive(Message message);

 private:
  struct Deltas {
    std::vector<std::uint32_t> numbers;  ///< ascending
    std::vector<float> floats;
  };
  void start_round();
  void advance();  ///< takes every step whose message is there
  void finish_round();
  void after_round();
  void schedule(double delay);
  void send_sum(NodeId to, std::uint32_t step);
  void merge(const Message& message);
  void collect();
  std::span<float> slot(std::vector<float>& floats, std::uint32_t number);

  NodeCore& node_;
  std::vector<Key> keys_;  ///< ascending
  AllReduce options_;
  std::vector<std::size_t> offset_;  ///< of each replica's value; one more than replicas
  std::vector<float> values_;
  std::vector<float> agreed_;
  std::vector<std::atomic<std::uint8_t>> changed_;  ///< since the last round; under the key's lock

  NodeId core_nodes_ = 1;  ///< P
  std::uint32_t last_step_ = 0;

  bool timed_ = false;
  std::uint64_t timer_ = 0;  ///< invalidates timers that were set earlier
  std::uint32_t started_ = 0;
  std::uint32_t done_ = 0;
  std::uint32_t step_ = 0;
  bool sent_ = false;  ///< this step's message is out
  double round_began_ = 0.0;
  std::uint32_t target_ = 0;
  void (NodeCore::*on_done_)() = nullptr;
  Deltas own_;
  Deltas sum_;
  Deltas merged_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Message> early_;  ///< by round and step
};

}  // namespace pslab::manager
