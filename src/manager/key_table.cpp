#include "manager/key_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace pslab::manager {

namespace {
constexpr std::size_t kInitialBuckets = 64;
}

void KeyTable::set(Key key, std::uint32_t word) {
  if ((used_ + 1) * 4 > table_.size() * 3) grow();
  std::size_t i = bucket(key);
  while (table_[i].key != kEmpty && table_[i].key != key) i = (i + 1) & mask_;
  if (table_[i].key == kEmpty) {
    ++used_;
    table_[i].key = static_cast<std::uint32_t>(key);
  }
  table_[i].word = word;
}

bool KeyTable::erase(Key key) {
  if (used_ == 0) return false;
  std::size_t hole = bucket(key);
  while (table_[hole].key != key) {
    if (table_[hole].key == kEmpty) return false;
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
  return true;
}

void KeyTable::grow() {
  const std::vector<Entry> old = std::move(table_);
  table_.assign(std::max(kInitialBuckets, old.size() * 2), Entry{});
  mask_ = table_.size() - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(table_.size()));
  used_ = 0;
  for (const Entry& entry : old) {
    if (entry.key != kEmpty) set(entry.key, entry.word);
  }
}

}  // namespace pslab::manager
