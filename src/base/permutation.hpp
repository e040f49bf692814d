// A pseudo-random order of the numbers 0 .. n-1 that costs no memory per number: a Feistel network
// over the next power of two, applied again while the result lies outside (cycle walking; Black and
// Rogaway, CT-RSA 2002).
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace pslab {

class Permutation {
 public:
  /// `size` is 1 .. 2^62; `random` decides which order it is.
  Permutation(std::uint64_t size, Random random);

  std::uint64_t size() const { return size_; }

  /// Where `number` (below size) goes: another number below size, different for each.
  std::uint64_t operator()(std::uint64_t number) const {
    do {
      number = mixed(number);
    } while (number >= size_);
    return number;
  }

 private:
  /// A bijection over 0 .. 2^bits - 1.
  std::uint64_t mixed(std::uint64_t number) const {
    std::uint64_t low = number & low_mask_;
    std::uint64_t high = number >> low_bits_;
    for (const auto& [low_key, high_key] : keys_) {
      high ^= mix64(low ^ low_key) & high_mask_;
      low ^= mix64(high ^ high_key) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  struct RoundKeys {
    std::uint64_t low;
    std::uint64_t high;
  };

  std::uint64_t size_;
  unsigned low_bits_;
  std::uint64_t low_mask_;
  std::uint64_t high_mask_;
  std::array<RoundKeys, 3> keys_{};
};

}  // namespace pslab
