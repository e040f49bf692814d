// A map from keys to words of 32 bits, by open addressing: 8 bytes for each entry of a table that
// is at most three quarters full, no heap block per key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace pslab::manager {

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  ///< the word of a key without one

  std::uint32_t find(Key key) const {
    if (used_ == 0) return kNone;
    for (std::size_t i = bucket(key);; i = (i + 1) & mask_) {
      if (table_[i].key == key) return table_[i].word;
      if (table_[i].key == kEmpty) return kNone;
    }
  }
  bool contains(Key key) const { return find(key) != kNone; }
  std::size_t size() const { return used_; }
  void set(Key key, std::uint32_t word);
  /// Whether it had a word.
  bool erase(Key key);

  /// Calls visit(key, word) for every key, in no particular order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : table_) {
      if (entry.key != kEmpty) visit(Key{entry.key}, entry.word);
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t key = kEmpty;
    std::uint32_t word = 0;
  };
  std::size_t bucket(Key key) const {
    return (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL) >> shift_;
  }
  void grow();

  std::vector<Entry> table_;
  std::size_t mask_ = 0;
  unsigned shift_ = 64;
  std::size_t used_ = 0;
};

}  // namespace pslab::manager
