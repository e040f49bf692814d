#include "base/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/hash.hpp"

namespace pslab {

Random::Random(std::uint64_t seed, std::string_view purpose, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t stream = mix64(mix64(fnv1a(purpose) ^ mix64(seed)) ^ mix64(a + 1)) ^ b;
  key_[0] = static_cast<std::uint32_t>(mix64(stream));
  key_[1] = static_cast<std::uint32_t>(mix64(stream) >> 32);
  // The upper half of the counter is a second, independent hash of the stream's name, so that two
  // streams that share a key do not share numbers.
  const std::uint64_t second = mix64(stream + 0x9E3779B97F4A7C15ULL);
  counter_[2] = static_cast<std::uint32_t>(second);
  counter_[3] = static_cast<std::uint32_t>(second >> 32);
}

void Random::refill() {
  using Philox = r123::Philox4x32;
  const Philox::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const Philox::ctr_type block = Philox{}(counter, {{key_[0], key_[1]}});
  std::copy_n(block.v, block_.size(), block_.begin());
  if (++counter_[0] == 0) ++counter_[1];
  used_ = 0;
}

std::uint64_t Random::below(std::uint64_t n) {
  // Lemire's multiply-and-reject, 64 bits where 32 do not suffice.
  if (n <= 0xFFFFFFFFULL) {
    const auto bound = static_cast<std::uint32_t>(n);
    std::uint64_t product = std::uint64_t{bits()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold) {
        product = std::uint64_t{bits()} * bound;
      }
    }
    return product >> 32;
  }
  const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % n + 1) % n;
  std::uint64_t draw = bits64();
  while (draw > limit) draw = bits64();
  return draw % n;
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace pslab
