#include "base/dot.hpp"

#include "base/isa.hpp"

namespace pslab {
namespace {

[[gnu::always_inline]] inline float dot_of(const float* __restrict a, const float* __restrict b,
                                           std::size_t n) {
  constexpr std::size_t kLanes = 32;
  float sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  float total = sums[0];
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

PSLAB_TARGET_AVX512 float dot_avx512(const float* a, const float* b, std::size_t n) {
  return dot_of(a, b, n);
}
PSLAB_TARGET_AVX2 float dot_avx2(const float* a, const float* b, std::size_t n) {
  return dot_of(a, b, n);
}
float dot_basic(const float* a, const float* b, std::size_t n) {
  return dot_of(a, b, n);
}

}  // namespace

float (*const dot)(const float*, const float*, std::size_t) = choose_version(dot_avx512, dot_avx2,
                                                                             dot_basic);

}  // namespace pslab
