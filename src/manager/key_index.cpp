#include "manager/key_index.hpp"

namespace pslab::manager {

KeyIndex::KeyIndex(Key num_keys, bool dense) : num_keys_(num_keys) {
  if (!dense) return;
  words_ = std::make_unique_for_overwrite<std::atomic<std::uint32_t>[]>(num_keys);
  for (Key key = 0; key < num_keys; ++key) erase(key);
}

void KeyIndex::set(Key key, Holding holding) {
  if (words_ == nullptr) return table_.set(key, holding.word());
  words_[key].store(holding.word(), std::memory_order_release);
}

void KeyIndex::erase(Key key) {
  if (words_ == nullptr) {
    table_.erase(key);
  } else {
    words_[key].store(Holding().word(), std::memory_order_release);
  }
}

}  // namespace pslab::manager
