// Copies of keys that other nodes own, made and dropped while a run goes on (SSP, ESSP): each is a
// value to read, and the sum of what was pushed here and is still to be sent to the owner. All of
// it lies together in one slot. A copy is made and dropped inside the node, and used under its
// key's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "api/key_space.hpp"
#include "manager/slab.hpp"

namespace pslab::manager {

class Copies {
 public:
  struct State {
    std::uint64_t stamp;  ///< says how new the value is; 0: there is none yet
    std::uint32_t dirty;  ///< not 0: the sum is not empty
    std::uint32_t unused;
  };

  Copies(const KeySpace& keys, bool large_chunks) : keys_(keys) {
    for (const KeyGroup& group : keys.groups()) {
      slabs_.emplace_back(2 * group.length + kStateFloats, keys.size(), large_chunks);
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

  float* value(Key key, std::uint32_t number) const { return slabs_[group(key)].slot(number); }
  float* sum(Key key, std::uint32_t number) const { return value(key, number) + keys_.length(key); }
  State state(Key key, std::uint32_t number) const {
    State state;
    std::memcpy(&state, place_of_state(key, number), sizeof(state));
    return state;
  }
  void set_state(Key key, std::uint32_t number, const State& state) {
    std::memcpy(place_of_state(key, number), &state, sizeof(state));
  }

 private:
  static constexpr std::uint32_t kStateFloats = sizeof(State) / sizeof(float);
  std::size_t group(Key key) const { return slabs_.size() == 1 ? 0 : keys_.group_of(key); }
  float* place_of_state(Key key, std::uint32_t number) const {
    return value(key, number) + 2 * std::size_t{keys_.length(key)};
  }

  const KeySpace& keys_;
  std::vector<Slab> slabs_;  ///< by group
};

}  // namespace pslab::manager
