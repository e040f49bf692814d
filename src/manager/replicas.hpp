// Replicas of the keys that every node holds a copy of, kept in step by periodic rounds in which
// all nodes add up what has changed (NuPS, section 4.2).
//
// A round, on every node: the keys changed since the last round give deltas (local value minus the
// value all agreed on last); the sum of the deltas of all nodes (sync_round.hpp) is added to the
// agreed value, and the local value becomes the agreed one plus what was pushed here meanwhile.
// Rounds are in lock-step; each node starts one when it is due. After a round in which nobody had
// changes none is started, until a node has some and calls the others.
//
// Values and change marks are guarded by the locks of their keys: workers add to them meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/key_space.hpp"
#include "api/message.hpp"
#include "api/strategy.hpp"
#include "manager/deltas.hpp"
#include "manager/sync_round.hpp"

namespace pslab::manager {

class NodeCore;

class Replicas {
 public:
  /// `keys` are the replicated keys; their values start at 0 until initialise().
  Replicas(NodeCore& node, const KeySpace& space, std::vector<Key> keys, AllReduce options);

  std::size_t size() const { return layout_.size(); }
  Key key(std::uint32_t number) const { return layout_.key(number); }
  float* value(std::uint32_t number) { return &values_[layout_.begin(number)]; }
  /// Sets value and agreed value; before training only.
  void initialise(std::uint32_t number, std::span<const float> value);
  void mark_changed(std::uint32_t number) { changed_[number].store(1, std::memory_order_relaxed); }

  /// Rounds at the rate of the options, from now on / no longer (a round under way ends).
  void resume();
  void pause() { timed_ = false; }
  std::uint32_t rounds_started() const { return started_; }
  std::uint32_t rounds_done() const { return done_; }
  /// Runs rounds at once until `target` are done, the last of which exchanges all changes; on_done
  /// is called then (perhaps right away).
  void run_until(std::uint32_t target, void (NodeCore::*on_done)());

  void receive(Message message);

 private:
  void start_if_due();
  void start_round();
  void begin_round();
  void call_others();
  void finish_round();
  void after_round();
  void schedule(double delay);
  void collect();
  bool takes_all() const;
  void apply(std::uint32_t number, std::span<const float> sum, std::span<const float> own);
  float applied_share(std::span<const float> sum);
  std::span<float> slot(std::vector<float>& floats, std::uint32_t number) const;

  NodeCore& node_;
  AllReduce options_;
  ReplicaLayout layout_;
  std::vector<float> values_;
  std::vector<float> agreed_;
  std::vector<std::atomic<std::uint8_t>> changed_;  ///< since it was sent; under the key's lock

  SyncRound round_;
  DeltaClip clip_;
  Deltas own_;                ///< changes that this node brought into the round
  std::vector<float> delta_;  ///< of one key

  bool timed_ = false;
  std::uint64_t timer_ = 0;  ///< invalidates timers that were set earlier
  std::uint32_t started_ = 0;
  std::uint32_t done_ = 0;
  std::uint32_t called_ = 0;  ///< the last round that another node has called this one to
  bool quiet_ = false;        ///< nobody had changes in the last round
  double round_began_ = 0.0;
  std::uint32_t target_ = 0;
  void (NodeCore::*on_done_)() = nullptr;
};

}  // namespace pslab::manager
