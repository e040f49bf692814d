// Copies of keys whose main copy is elsewhere, made and dropped while a run goes on: each is a
// value to read, and the sum of what was pushed here and is still to be sent. All of it lies
// together in one slot. A copy is made and dropped inside the node, and used under its key's lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "api/key_space.hpp"
#include "manager/slab.hpp"
#include "manager/values.hpp"

namespace pslab::manager {

class Copies {
 public:
  struct State {
    std::uint64_t stamp;  ///< says how new the value is; 0: there is none yet
    std::uint32_t dirty;  ///< not 0: the sum is not empty
    std::uint32_t unused;
  };

  /// `users`: threads that add to copies at the same time, each with a number.
  Copies(const KeySpace& keys, std::uint32_t users, bool large_chunks) : keys_(keys) {
    for (std::uint32_t i = 0; i < users; ++i) dirty_.push_back(std::make_unique<Dirty>());
    for (const KeyGroup& group : keys.groups()) {
      slabs_.emplace_back(slot_length(group.length), keys.size(), large_chunks);
      if (keys.uniform_length() != 0) break;
    }
  }

  /// Without a value.
  std::uint32_t make(Key key) {
    Slab& slab = slabs_[group(key)];
    const std::uint32_t number = slab.allocate();
    std::memset(slab.slot(number), 0, slab.length() * sizeof(float));
    return number;
  }
  void drop(Key key, std::uint32_t number) { slabs_[group(key)].release(number); }

  /// For those who know the key's group, which does not matter where all lengths are equal.
  const Slab& slab_of_group(std::size_t group) const {
    return slabs_[slabs_.size() == 1 ? 0 : group];
  }
  static float* sum_of(float* value, std::size_t length) { return value + length; }
  static State state_of(const float* value, std::size_t length) {
    State state;
    std::memcpy(&state, value + 2 * length, sizeof(state));
    return state;
  }

  float* value(Key key, std::uint32_t number) const { return slabs_[group(key)].slot(number); }
  float* sum(Key key, std::uint32_t number) const {
    return sum_of(value(key, number), keys_.length(key));
  }
  /// Adds to value and sum; a copy that becomes dirty is in the next take_dirty().
  void add(std::uint32_t user, Key key, std::uint32_t number, const float* delta,
           std::size_t length) {
    add_value(value(key, number), delta, length);
    add_value(sum(key, number), delta, length);
    State now = state(key, number);
    if (now.dirty != 0) return;
    now.dirty = 1;
    set_state(key, number, now);
    const std::scoped_lock lock(dirty_[user]->mutex);
    dirty_[user]->keys.push_back(key);
  }
  /// Empties the sum.
  void clear_sum(Key key, std::uint32_t number) {
    std::fill_n(sum(key, number), keys_.length(key), 0.0F);
    State now = state(key, number);
    now.dirty = 0;
    set_state(key, number, now);
  }
  /// Keys that have become dirty since the last call, ascending. Inside the node. Some may have
  /// been cleared or dropped meanwhile.
  std::vector<Key> take_dirty() {
    std::vector<Key> all;
    for (const auto& dirty : dirty_) {
      const std::scoped_lock lock(dirty->mutex);
      all.insert(all.end(), dirty->keys.begin(), dirty->keys.end());
      dirty->keys.clear();
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  State state(Key key, std::uint32_t number) const {
    return state_of(value(key, number), keys_.length(key));
  }
  void set_state(Key key, std::uint32_t number, const State& state) {
    std::memcpy(value(key, number) + 2 * std::size_t{keys_.length(key)}, &state, sizeof(state));
  }

 private:
  struct Dirty {  ///< keys whose copies a user was the first to change
    std::mutex mutex;
    std::vector<Key> keys;
  };
  static std::uint32_t slot_length(std::uint32_t value_length) {
    return 2 * value_length + static_cast<std::uint32_t>(sizeof(State) / sizeof(float));
  }
  std::size_t group(Key key) const { return slabs_.size() == 1 ? 0 : keys_.group_of(key); }

  const KeySpace& keys_;
  std::vector<Slab> slabs_;  ///< by group; one where all lengths are equal
  std::vector<std::unique_ptr<Dirty>> dirty_;
};

}  // namespace pslab::manager
