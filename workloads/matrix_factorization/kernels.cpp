#include "workloads/matrix_factorization/kernels.hpp"

#include <algorithm>

#include "base/isa.hpp"

namespace pslab::mf {
namespace {

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

void (*const gradient_step)(const float*, const float*, const StepSizes&, float*, float*,
                            std::size_t) = choose_version(step_avx512, step_avx2, step_basic);

}  // namespace pslab::mf
