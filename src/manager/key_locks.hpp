// Spin locks over keys, for nodes whose workers are threads: who holds a key's lock may read and
// change its value and its word in the index. Held for the copy or addition of one value, never
// across communication. Where only one thing runs at a time there are none, and locking is free.
//
// Many stripes (64 KiB of them), so that two threads hardly ever meet: a lock beside each word of
// the index would touch one cache line less but scales worse (two threads at 1.4 instead of 2.0
// times one), because locking a key then takes the line of its neighbours' words along.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "base/types.hpp"

namespace pslab::manager {

class KeyLocks {
 public:
  explicit KeyLocks(bool threads)
      : flags_(threads ? std::make_unique<std::atomic<std::uint32_t>[]>(kStripes) : nullptr) {}

  class Guard {
   public:
    Guard() = default;
    explicit Guard(std::atomic<std::uint32_t>& flag) : flag_(&flag) {
      if (flag.exchange(1, std::memory_order_acquire) != 0) [[unlikely]] {
        insist(flag);
      }
    }
    ~Guard() {
      if (flag_ != nullptr) flag_->store(0, std::memory_order_release);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    [[gnu::noinline, gnu::cold]] static void insist(std::atomic<std::uint32_t>& flag) {
      for (unsigned tries = 0; flag.exchange(1, std::memory_order_acquire) != 0; ++tries) {
        // The holder may have lost its processor.
        if (tries % 64 == 63) std::this_thread::yield();
      }
    }
    std::atomic<std::uint32_t>* flag_ = nullptr;
  };

  /// Only one at a time per thread.
  Guard lock(Key key) const { return flags_ == nullptr ? Guard() : Guard(flags_[stripe(key)]); }

  /// For those who find the flag of a key themselves; null: there are no locks.
  std::atomic<std::uint32_t>* flags() const { return flags_.get(); }
  static std::size_t stripe(Key key) {
    return static_cast<std::uint32_t>(key * 0x9E3779B1U) >> (32 - kBits);
  }

 private:
  static constexpr unsigned kBits = 14;
  static constexpr std::size_t kStripes = std::size_t{1} << kBits;

  std::unique_ptr<std::atomic<std::uint32_t>[]> flags_;
};

}  // namespace pslab::manager
