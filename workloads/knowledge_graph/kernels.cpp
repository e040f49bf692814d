#include "workloads/knowledge_graph/kernels.hpp"

#include <cmath>

#include "workloads/knowledge_graph/versions.hpp"

namespace pslab::kge {
namespace {

/// Too small to change a sum: a gradient of 0 with a sum of 0 gives a delta of 0.
constexpr float kTiny = 1e-38F;

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

void (*const adagrad)(const float*, const float*, const AdaGrad&, float*,
                      std::size_t) = version<adagrad_of>();
void (*const add_cubic)(float, const float*, float*, std::size_t) = version<add_cubic_of>();
void (*const add_complex_cubic)(float, const float*, float*,
                                std::size_t) = version<add_complex_cubic_of>();

}  // namespace pslab::kge
