// A node's parameter store: which keys it holds, and the values of those that it owns. Replicas
// keep their values in manager/replicas.hpp, keys on their way here their queue in
// manager/transfers.hpp.
#pragma once

#include <vector>

#include "api/key_space.hpp"
#include "manager/key_index.hpp"
#include "manager/slab.hpp"

namespace pslab::manager {

class Store {
 public:
  /// `dense`: see KeyIndex; `large_chunks`: see Slab. `keys` must outlive the store.
  Store(const KeySpace& keys, bool dense, bool large_chunks);

  Holding find(Key key) const { return index_.find(key); }

  /// The value of an owned key.
  float* value(Key key, Holding owned) { return slab(key).slot(owned.reference()); }

  // For those who look keys up themselves.
  const std::atomic<std::uint32_t>* words() const { return index_.words(); }
  const Slab& slab_of_group(std::size_t group) const { return slabs_[slab_of_group_[group]]; }

  /// Room for the value of a key that is not owned; set() makes it owned once the value is there.
  Holding allocate(Key key);
  /// Gives up an owned key and its value.
  void remove(Key key, Holding owned);

  void set(Key key, Holding holding) { index_.set(key, holding); }
  void erase(Key key) { index_.erase(key); }

  template <typename Visit>
  void for_each(Visit visit) const {
    index_.for_each(visit);
  }

 private:
  Slab& slab(Key key) {
    return slabs_.size() == 1 ? slabs_.front() : slabs_[slab_of_group_[keys_.group_of(key)]];
  }

  const KeySpace& keys_;
  KeyIndex index_;
  std::vector<Slab> slabs_;  ///< one per distinct value length
  std::vector<std::size_t> slab_of_group_;
};

}  // namespace pslab::manager
