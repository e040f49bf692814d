#include "manager/store.hpp"

#include <algorithm>

namespace pslab::manager {

Store::Store(const KeySpace& keys, bool dense) : keys_(keys), index_(keys.size(), dense) {
  for (const KeyGroup& group : keys.groups()) {
    const auto same = std::find_if(slabs_.begin(), slabs_.end(),
                                   [&](const Slab& slab) { return slab.length() == group.length; });
    slab_of_group_.push_back(static_cast<std::size_t>(same - slabs_.begin()));
    if (same == slabs_.end()) slabs_.emplace_back(group.length, keys.size());
  }
}

Holding Store::allocate(Key key) {
  return Holding(Held::kOwned, slab(key).allocate());
}

void Store::remove(Key key, Holding owned) {
  slab(key).release(owned.reference());
  index_.erase(key);
}

}  // namespace pslab::manager
