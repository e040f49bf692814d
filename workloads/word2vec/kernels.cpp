#include "workloads/word2vec/kernels.hpp"

#include "base/isa.hpp"

namespace pslab::word2vec {
namespace {

[[gnu::always_inline]] inline void cross_add_of(float factor, const float* __restrict x,
                                                const float* __restrict y, float* __restrict sum,
                                                float* __restrict product, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    sum[i] += factor * y[i];
    product[i] = factor * x[i];
  }
}

PSLAB_TARGET_AVX512 void cross_add_avx512(float factor, const float* x, const float* y, float* sum,
                                          float* product, std::size_t n) {
  cross_add_of(factor, x, y, sum, product, n);
}
PSLAB_TARGET_AVX2 void cross_add_avx2(float factor, const float* x, const float* y, float* sum,
                                      float* product, std::size_t n) {
  cross_add_of(factor, x, y, sum, product, n);
}
void cross_add_basic(float factor, const float* x, const float* y, float* sum, float* product,
                     std::size_t n) {
  cross_add_of(factor, x, y, sum, product, n);
}

}  // namespace

void (*const cross_add)(float, const float*, const float*, float*, float*,
                        std::size_t) = choose_version(cross_add_avx512, cross_add_avx2,
                                                      cross_add_basic);

}  // namespace pslab::word2vec
