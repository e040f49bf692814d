#include "manager/store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace pslab::manager {

float* Slab::allocate_floats(std::size_t count) {
  constexpr std::size_t kCacheLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t bytes = count * sizeof(float);
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kCacheLine;
  const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* floats = std::aligned_alloc(alignment, size);
  if (floats == nullptr) throw std::bad_alloc();
  if (alignment == kHugePage) ::madvise(floats, size, MADV_HUGEPAGE);  // as well if it is refused
  return static_cast<float*>(floats);
}

Store::Store(const KeySpace& keys, bool dense, bool large_chunks)
    : keys_(keys), index_(keys.size(), dense) {
  for (const KeyGroup& group : keys.groups()) {
    const auto same = std::find_if(slabs_.begin(), slabs_.end(),
                                   [&](const Slab& slab) { return slab.length() == group.length; });
    slab_of_group_.push_back(static_cast<std::size_t>(same - slabs_.begin()));
    if (same == slabs_.end()) slabs_.emplace_back(group.length, keys.size(), large_chunks);
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
