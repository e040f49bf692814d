// Named random streams. A stream's seed is a function of the run's seed, the purpose (a name) and
// up to two numbers (worker, epoch, ...), so that a new consumer of randomness never changes what
// the others draw, and so that results do not depend on the order in which workers run.
//
// The generator is Philox 4x32-10 (Salmon et al., SC 2011), counter based, from Random123.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace pslab {

class Random {
 public:
  Random(std::uint64_t seed, std::string_view purpose, std::uint64_t a = 0, std::uint64_t b = 0);

  /// 32 random bits.
  std::uint32_t bits() {
    if (used_ == 4) refill();
    return block_[used_++];
  }
  std::uint64_t bits64() { return (std::uint64_t{bits()} << 32) | bits(); }

  /// Uniform in 0 .. n-1 without bias. n must be positive.
  std::uint64_t below(std::uint64_t n);

  /// Uniform in [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(bits64() >> 11) * 0x1.0p-53; }

  /// Normal with mean 0 and standard deviation 1 (Box-Muller, both values used).
  double normal();

  /// Fisher-Yates.
  template <typename T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 4> counter_{};
  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = 4;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace pslab
