#include "base/permutation.hpp"

#include <algorithm>
#include <bit>

namespace pslab {

Permutation::Permutation(std::uint64_t size, Random random) : size_(size) {
  const auto bits = std::max(2U, static_cast<unsigned>(std::bit_width(size - 1)));
  low_bits_ = bits / 2;
  low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
  high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;
  for (auto& [low, high] : keys_) {
    low = random.bits64();
    high = random.bits64();
  }
}

}  // namespace pslab
