#include "manager/key_index.hpp"

#include <bit>

namespace pslab::manager {

namespace {
constexpr std::size_t kInitialBuckets = 64;
}

KeyIndex::KeyIndex(Key num_keys, bool dense) : num_keys_(num_keys) {
  if (dense) {
    words_ = std::make_unique_for_overwrite<std::atomic<std::uint32_t>[]>(num_keys);
    for (Key key = 0; key < num_keys; ++key) erase(key);
    return;
  }
  table_.resize(kInitialBuckets);
  mask_ = kInitialBuckets - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(kInitialBuckets));
}

void KeyIndex::set(Key key, Holding holding) {
  if (words_ != nullptr) {
    words_[key].store(holding.word(), std::memory_order_release);
    return;
  }
  std::size_t i = bucket(key);
  while (table_[i].key != kEmpty && table_[i].key != key) i = (i + 1) & mask_;
  if (table_[i].key == kEmpty) {
    if ((used_ + 1) * 4 > table_.size() * 3) {
      grow();
      set(key, holding);
      return;
    }
    ++used_;
    table_[i].key = static_cast<std::uint32_t>(key);
  }
  table_[i].word = holding.word();
}

void KeyIndex::erase(Key key) {
  if (words_ != nullptr) {
    words_[key].store(Holding().word(), std::memory_order_release);
    return;
  }
  std::size_t hole = bucket(key);
  while (table_[hole].key != key) {
    if (table_[hole].key == kEmpty) return;
    hole = (hole + 1) & mask_;
  }
  // Close the gap: move back every later entry of the cluster that may stand at the hole.
  for (std::size_t i = (hole + 1) & mask_; table_[i].key != kEmpty; i = (i + 1) & mask_) {
    const std::size_t wanted = bucket(table_[i].key);
    if (((i - wanted) & mask_) >= ((i - hole) & mask_)) {
      table_[hole] = table_[i];
      hole = i;
    }
  }
  table_[hole] = Entry{};
  --used_;
}

void KeyIndex::grow() {
  const std::vector<Entry> old = std::move(table_);
  table_.assign(old.size() * 2, Entry{});
  mask_ = table_.size() - 1;
  --shift_;
  used_ = 0;
  for (const Entry& entry : old) {
    if (entry.key != kEmpty) set(entry.key, Holding(entry.word));
  }
}

}  // namespace pslab::manager
