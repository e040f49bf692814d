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

[[gnu::always_inline]] inline void add_scaled_of(float factor, const float* __restrict values,
                                                 float* __restrict sum, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sum[i] += factor * values[i];
}

/// Half a tile at a time stays in vector registers.
[[gnu::always_inline]] inline void score_tile_of(const float* __restrict query,
                                                 const float* __restrict tile, std::size_t n,
                                                 float* __restrict scores) {
  constexpr std::size_t kHalf = kTile / 2;
  for (std::size_t half = 0; half < kTile; half += kHalf) {
    float sums[kHalf] = {};
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < kHalf; ++i) sums[i] += query[k] * tile[k * kTile + half + i];
    }
    for (std::size_t i = 0; i < kHalf; ++i) scores[half + i] = sums[i];
  }
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

PSLAB_TARGET_AVX512 void add_scaled_avx512(float factor, const float* values, float* sum,
                                           std::size_t n) {
  add_scaled_of(factor, values, sum, n);
}
PSLAB_TARGET_AVX2 void add_scaled_avx2(float factor, const float* values, float* sum,
                                       std::size_t n) {
  add_scaled_of(factor, values, sum, n);
}
void add_scaled_basic(float factor, const float* values, float* sum, std::size_t n) {
  add_scaled_of(factor, values, sum, n);
}

PSLAB_TARGET_AVX512 void score_tile_avx512(const float* query, const float* tile, std::size_t n,
                                           float* scores) {
  score_tile_of(query, tile, n, scores);
}
PSLAB_TARGET_AVX2 void score_tile_avx2(const float* query, const float* tile, std::size_t n,
                                       float* scores) {
  score_tile_of(query, tile, n, scores);
}
void score_tile_basic(const float* query, const float* tile, std::size_t n, float* scores) {
  score_tile_of(query, tile, n, scores);
}

}  // namespace

float (*const dot)(const float*, const float*, std::size_t) = choose_version(dot_avx512, dot_avx2,
                                                                             dot_basic);

void (*const add_scaled)(float, const float*, float*,
                         std::size_t) = choose_version(add_scaled_avx512, add_scaled_avx2,
                                                       add_scaled_basic);
void (*const score_tile)(const float*, const float*, std::size_t,
                         float*) = choose_version(score_tile_avx512, score_tile_avx2,
                                                  score_tile_basic);

float score_one(const float* query, const float* vector, std::size_t n) {
  float sum = 0.0F;
  for (std::size_t k = 0; k < n; ++k) sum += query[k] * vector[k];
  return sum;
}

}  // namespace pslab
