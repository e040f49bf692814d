// Finds what a node holds of a key: one 32 bit word per held key. Dense (4 bytes for every key of
// the task) where that is cheap, an open-addressing table (memory follows what is held) elsewhere.
// Where workers are threads it must be dense; a word is then changed under the key's lock
// (key_locks.hpp) and may be read without it: what it says may have changed since.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "manager/key_table.hpp"

namespace pslab::manager {

enum class Held : std::uint32_t {
  kOwned = 0,     ///< the main copy is here; the reference is its slot
  kReplica = 1,   ///< a replica is here; the reference is its number among the replicas
  kArriving = 2,  ///< on its way here; the reference is its transfer record
  kAbsent = 3,
};

class Holding {
 public:
  Holding() = default;
  Holding(Held held, std::uint32_t reference)
      : word_((static_cast<std::uint32_t>(held) << 30) | reference) {}
  Held held() const { return static_cast<Held>(word_ >> 30); }
  std::uint32_t reference() const { return word_ & 0x3FFFFFFFU; }
  std::uint32_t word() const { return word_; }

  explicit Holding(std::uint32_t word) : word_(word) {}

 private:
  std::uint32_t word_ = ~std::uint32_t{0};
};

class KeyIndex {
 public:
  KeyIndex(Key num_keys, bool dense);

  Holding find(Key key) const {
    if (words_ == nullptr) return Holding(table_.find(key));
    return Holding(words_[key].load(std::memory_order_acquire));
  }
  /// By key; null: not dense.
  const std::atomic<std::uint32_t>* words() const { return words_.get(); }
  void set(Key key, Holding holding);
  void erase(Key key);

  /// Calls visit(key, holding) for every key held, by ascending key in the dense form.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t key = 0; words_ != nullptr && key < num_keys_; ++key) {
      const Holding holding = find(key);
      if (holding.held() != Held::kAbsent) visit(Key{key}, holding);
    }
    table_.for_each([&](Key key, std::uint32_t word) { visit(key, Holding(word)); });
  }

 private:
  Key num_keys_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> words_;  ///< dense; null: see table_
  KeyTable table_;
};

}  // namespace pslab::manager
