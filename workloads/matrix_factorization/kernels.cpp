#include "workloads/matrix_factorization/kernels.hpp"

#include <algorithm>

#include "base/isa.hpp"

namespace pslab::mf {
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

[[gnu::always_inline]] inline void step_of(const float* __restrict w, const float* __restrict h,
                                           const StepSizes& sizes, float* __restrict dw,
                                           float* __restrict dh, std::size_t n) {
  const auto [error, step, w_decay, h_decay, limit] = sizes;
  for (std::size_t i = 0; i < n; ++i) {
    const float a = step * (error * h[i] - w_decay * w[i]);
    const float b = step * (error * w[i] - h_decay * h[i]);
    dw[i] = std::min(std::max(a, -limit), limit);
    dh[i] = std::min(std::max(b, -limit), limit);
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

PSLAB_TARGET_AVX512 void step_avx512(const float* w, const float* h, const StepSizes& sizes,
                                     float* dw, float* dh, std::size_t n) {
  step_of(w, h, sizes, dw, dh, n);
}
PSLAB_TARGET_AVX2 void step_avx2(const float* w, const float* h, const StepSizes& sizes, float* dw,
                                 float* dh, std::size_t n) {
  step_of(w, h, sizes, dw, dh, n);
}
void step_basic(const float* w, const float* h, const StepSizes& sizes, float* dw, float* dh,
                std::size_t n) {
  step_of(w, h, sizes, dw, dh, n);
}

}  // namespace

float (*const dot)(const float*, const float*, std::size_t) = choose_version(dot_avx512, dot_avx2,
                                                                             dot_basic);
void (*const gradient_step)(const float*, const float*, const StepSizes&, float*, float*,
                            std::size_t) = choose_version(step_avx512, step_avx2, step_basic);

}  // namespace pslab::mf
