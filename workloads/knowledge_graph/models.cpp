#include "workloads/knowledge_graph/models.hpp"

#include "base/dot.hpp"
#include "base/isa.hpp"

namespace pslab::kge {
namespace {

using Body = void(const float*, const float*, float*, std::size_t);

[[gnu::always_inline]] inline void product(const float* __restrict a, const float* __restrict b,
                                           float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

/// a b, as complex numbers.
[[gnu::always_inline]] inline void complex_product(const float* __restrict a,
                                                   const float* __restrict b, float* __restrict out,
                                                   std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    out[i] = a[i] * b[i] - a[half + i] * b[half + i];
    out[half + i] = a[i] * b[half + i] + a[half + i] * b[i];
  }
}

/// conj(a) b, as complex numbers.
[[gnu::always_inline]] inline void conjugate_product(const float* __restrict a,
                                                     const float* __restrict b,
                                                     float* __restrict out, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    out[i] = a[i] * b[i] + a[half + i] * b[half + i];
    out[half + i] = a[i] * b[half + i] - a[half + i] * b[i];
  }
}

/// s' R
[[gnu::always_inline]] inline void row_times_matrix(const float* __restrict s,
                                                    const float* __restrict r,
                                                    float* __restrict out, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) out[j] = 0.0F;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) out[j] += s[i] * r[i * n + j];
  }
}

/// R o; `dot` chooses its version itself.
void matrix_times_column(const float* r, const float* o, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = dot(r + i * n, o, n);
}

/// s o'
[[gnu::always_inline]] inline void outer_product(const float* __restrict s,
                                                 const float* __restrict o, float* __restrict out,
                                                 std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] = s[i] * o[j];
  }
}

template <Body kBody>
PSLAB_TARGET_AVX512 void avx512(const float* a, const float* b, float* out, std::size_t n) {
  kBody(a, b, out, n);
}
template <Body kBody>
PSLAB_TARGET_AVX2 void avx2(const float* a, const float* b, float* out, std::size_t n) {
  kBody(a, b, out, n);
}
template <Body kBody>
void basic(const float* a, const float* b, float* out, std::size_t n) {
  kBody(a, b, out, n);
}
template <Body kBody>
Model::Query version() {
  return choose_version<Model::Query>(avx512<kBody>, avx2<kBody>, basic<kBody>);
}

std::size_t as_long(std::size_t n) {
  return n;
}
std::size_t squared(std::size_t n) {
  return n * n;
}
template <int kFlops>
double per_component(std::size_t n) {
  return kFlops * static_cast<double>(n);
}
double two_per_pair(std::size_t n) {
  return 2.0 * static_cast<double>(n) * static_cast<double>(n);
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> all = {
      {"complex", version<complex_product>(), version<conjugate_product>(),
       version<conjugate_product>(), as_long, per_component<3>, true},
      {"distmult", version<product>(), version<product>(), version<product>(), as_long,
       per_component<1>, false},
      {"rescal", version<row_times_matrix>(), matrix_times_column, version<outer_product>(),
       squared, two_per_pair, false}};
  return all;
}

}  // namespace pslab::kge
