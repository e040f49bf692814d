#include "workloads/knowledge_graph/kernels.hpp"

#include <cmath>

#include "base/isa.hpp"

namespace pslab::kge {
namespace {

/// Too small to change a sum: a gradient of 0 with a sum of 0 gives a delta of 0.
constexpr float kTiny = 1e-38F;

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

}  // namespace

void (*const adagrad)(const float*, const float*, const AdaGrad&, float*,
                      std::size_t) = choose_version(adagrad_avx512, adagrad_avx2, adagrad_basic);

}  // namespace pslab::kge
