#include "workloads/knowledge_graph/kernels.hpp"

#include <cmath>

#include "workloads/knowledge_graph/versions.hpp"

namespace pslab::kge {
namespace {

/// Too small to change a sum: a gradient of 0 with a sum of 0 gives a delta of 0.
constexpr float kTiny = 1e-38F;

/// Components in blocks that stay in vector registers while the vectors go by.
template <std::size_t kBlock>
[[gnu::always_inline]] inline std::size_t add_weighted_blocks(const Weighted& terms,
                                                              float* __restrict sum,
                                                              std::size_t begin, std::size_t n) {
  const auto [factors, vectors, count, stride] = terms;
  std::size_t k = begin;
  for (; k + kBlock <= n; k += kBlock) {
    float block[kBlock];
    for (std::size_t j = 0; j < kBlock; ++j) block[j] = sum[k + j];
    for (std::size_t i = 0; i < count; ++i) {
      const float factor = factors[i];
      const float* vector = vectors + i * stride + k;
      for (std::size_t j = 0; j < kBlock; ++j) block[j] += factor * vector[j];
    }
    for (std::size_t j = 0; j < kBlock; ++j) sum[k + j] = block[j];
  }
  return k;
}

[[gnu::always_inline]] inline void add_weighted_of(const Weighted& terms, float* __restrict sum,
                                                   std::size_t n) {
  std::size_t done = add_weighted_blocks<64>(terms, sum, 0, n);
  done = add_weighted_blocks<8>(terms, sum, done, n);
  add_weighted_blocks<1>(terms, sum, done, n);
}

[[gnu::always_inline]] inline void adagrad_of(const float* __restrict value,
                                              const float* __restrict gradient, const AdaGrad& how,
                                              float* __restrict delta, std::size_t n) {
  const auto [l2, rate] = how;
  for (std::size_t i = 0; i < n; ++i) {
    const float g = gradient[i] + l2 * value[i];
    const float square = g * g;
    delta[i] = -rate * g / std::sqrt(value[n + i] + square + kTiny);
    delta[n + i] = square;
  }
}

[[gnu::always_inline]] inline void add_cubic_of(float weight, const float* __restrict value,
                                                float* __restrict gradient, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) gradient[i] += weight * std::fabs(value[i]) * value[i];
}

[[gnu::always_inline]] inline void add_complex_cubic_of(float weight, const float* __restrict value,
                                                        float* __restrict gradient, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const float scale = weight * std::sqrt(value[i] * value[i] + value[half + i] * value[half + i]);
    gradient[i] += scale * value[i];
    gradient[half + i] += scale * value[half + i];
  }
}

}  // namespace

void (*const add_weighted)(const Weighted&, float*, std::size_t) = version<add_weighted_of>();
void (*const adagrad)(const float*, const float*, const AdaGrad&, float*,
                      std::size_t) = version<adagrad_of>();
void (*const add_cubic)(float, const float*, float*, std::size_t) = version<add_cubic_of>();
void (*const add_complex_cubic)(float, const float*, float*,
                                std::size_t) = version<add_complex_cubic_of>();

}  // namespace pslab::kge
