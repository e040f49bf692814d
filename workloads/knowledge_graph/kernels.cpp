#include "workloads/knowledge_graph/kernels.hpp"

#include <cmath>

#include "base/isa.hpp"

namespace pslab::kge {
namespace {

/// Too small to change a sum: a gradient of 0 with a sum of 0 gives a delta of 0.
constexpr float kTiny = 1e-38F;

[[gnu::always_inline]] inline void add_scaled_of(float factor, const float* __restrict values,
                                                 float* __restrict sum, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sum[i] += factor * values[i];
}

[[gnu::always_inline]] inline void adagrad_of(const float* __restrict value,
                                              const float* __restrict gradient, const AdaGrad& how,
                                              float* __restrict delta, std::size_t n) {
  const auto [factor, l2, rate] = how;
  for (std::size_t i = 0; i < n; ++i) {
    const float g = factor * gradient[i] + l2 * value[i];
    const float square = g * g;
    delta[i] = -rate * g / std::sqrt(value[n + i] + square + kTiny);
    delta[n + i] = square;
  }
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

PSLAB_TARGET_AVX512 void adagrad_avx512(const float* value, const float* gradient,
                                        const AdaGrad& how, float* delta, std::size_t n) {
  adagrad_of(value, gradient, how, delta, n);
}
PSLAB_TARGET_AVX2 void adagrad_avx2(const float* value, const float* gradient, const AdaGrad& how,
                                    float* delta, std::size_t n) {
  adagrad_of(value, gradient, how, delta, n);
}
void adagrad_basic(const float* value, const float* gradient, const AdaGrad& how, float* delta,
                   std::size_t n) {
  adagrad_of(value, gradient, how, delta, n);
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

void (*const add_scaled)(float, const float*, float*,
                         std::size_t) = choose_version(add_scaled_avx512, add_scaled_avx2,
                                                       add_scaled_basic);
void (*const adagrad)(const float*, const float*, const AdaGrad&, float*,
                      std::size_t) = choose_version(adagrad_avx512, adagrad_avx2, adagrad_basic);

void (*const score_tile)(const float*, const float*, std::size_t,
                         float*) = choose_version(score_tile_avx512, score_tile_avx2,
                                                  score_tile_basic);

float score_one(const float* query, const float* entity, std::size_t n) {
  float sum = 0.0F;
  for (std::size_t k = 0; k < n; ++k) sum += query[k] * entity[k];
  return sum;
}

}  // namespace pslab::kge
