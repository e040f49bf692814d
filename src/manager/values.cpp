#include "manager/values.hpp"

#include "base/isa.hpp"

namespace pslab::manager {
namespace {

[[gnu::always_inline]] inline void add(float* __restrict to, const float* __restrict delta,
                                       std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) to[i] += delta[i];
}
PSLAB_TARGET_AVX512 void add_avx512(float* to, const float* delta, std::size_t length) {
  add(to, delta, length);
}
PSLAB_TARGET_AVX2 void add_avx2(float* to, const float* delta, std::size_t length) {
  add(to, delta, length);
}
void add_basic(float* to, const float* delta, std::size_t length) {
  add(to, delta, length);
}

}  // namespace

void (*const add_long_value)(float*, const float*,
                             std::size_t) = choose_version(add_avx512, add_avx2, add_basic);

}  // namespace pslab::manager
