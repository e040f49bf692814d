#include "workloads/knowledge_graph/models.hpp"

#include "base/dot.hpp"
#include "workloads/knowledge_graph/rotation.hpp"
#include "workloads/knowledge_graph/versions.hpp"

namespace pslab::kge {
namespace {

[[gnu::always_inline]] inline void product(const float* __restrict a, const float* __restrict b,
                                           float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}
[[gnu::always_inline]] inline void product_back(const float* __restrict e,
                                                const float* __restrict r,
                                                const float* __restrict q, float* __restrict for_e,
                                                float* __restrict for_r, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for_e[i] += r[i] * q[i];
    for_r[i] += e[i] * q[i];
  }
}

/// s r, as complex numbers.
[[gnu::always_inline]] inline void complex_object(const float* __restrict s,
                                                  const float* __restrict r, float* __restrict out,
                                                  std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    out[i] = s[i] * r[i] - s[half + i] * r[half + i];
    out[half + i] = s[i] * r[half + i] + s[half + i] * r[i];
  }
}
/// conj(r) q for s, conj(s) q for r
[[gnu::always_inline]] inline void complex_object_back(const float* __restrict s,
                                                       const float* __restrict r,
                                                       const float* __restrict q,
                                                       float* __restrict for_s,
                                                       float* __restrict for_r, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    for_s[i] += r[i] * q[i] + r[half + i] * q[half + i];
    for_s[half + i] += r[i] * q[half + i] - r[half + i] * q[i];
    for_r[i] += s[i] * q[i] + s[half + i] * q[half + i];
    for_r[half + i] += s[i] * q[half + i] - s[half + i] * q[i];
  }
}

/// conj(r) o
[[gnu::always_inline]] inline void complex_subject(const float* __restrict o,
                                                   const float* __restrict r, float* __restrict out,
                                                   std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    out[i] = r[i] * o[i] + r[half + i] * o[half + i];
    out[half + i] = r[i] * o[half + i] - r[half + i] * o[i];
  }
}
/// r q for o, o conj(q) for r
[[gnu::always_inline]] inline void complex_subject_back(const float* __restrict o,
                                                        const float* __restrict r,
                                                        const float* __restrict q,
                                                        float* __restrict for_o,
                                                        float* __restrict for_r, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    for_o[i] += r[i] * q[i] - r[half + i] * q[half + i];
    for_o[half + i] += r[i] * q[half + i] + r[half + i] * q[i];
    for_r[i] += o[i] * q[i] + o[half + i] * q[half + i];
    for_r[half + i] += o[half + i] * q[i] - o[i] * q[half + i];
  }
}

/// s' R; columns in blocks that stay in registers while the rows go by.
[[gnu::always_inline]] inline void row_times_matrix(const float* __restrict s,
                                                    const float* __restrict matrix,
                                                    float* __restrict out, std::size_t n) {
  constexpr std::size_t kBlock = 32;
  std::size_t j = 0;
  for (; j + kBlock <= n; j += kBlock) {
    float sums[kBlock] = {};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < kBlock; ++k) sums[k] += s[i] * matrix[i * n + j + k];
    }
    for (std::size_t k = 0; k < kBlock; ++k) out[j + k] = sums[k];
  }
  for (; j < n; ++j) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] * matrix[i * n + j];
    out[j] = sum;
  }
}
/// R q for s, s q' for R
void matrix_object_back(const float* s, const float* matrix, const float* q, float* for_s,
                        float* for_matrix, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for_s[i] += dot(matrix + i * n, q, n);
    add_scaled(s[i], q, for_matrix + i * n, n);
  }
}
/// R o
void matrix_times_column(const float* o, const float* matrix, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = dot(matrix + i * n, o, n);
}
/// q' R for o, q o' for R
void matrix_subject_back(const float* o, const float* matrix, const float* q, float* for_o,
                         float* for_matrix, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    add_scaled(q[i], matrix + i * n, for_o, n);
    add_scaled(q[i], o, for_matrix + i * n, n);
  }
}

[[gnu::always_inline]] inline void sum(const float* __restrict s, const float* __restrict r,
                                       float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s[i] + r[i];
}
[[gnu::always_inline]] inline void sum_back(const float* /*s*/, const float* /*r*/,
                                            const float* __restrict q, float* __restrict for_s,
                                            float* __restrict for_r, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for_s[i] += q[i];
    for_r[i] += q[i];
  }
}
[[gnu::always_inline]] inline void difference(const float* __restrict o, const float* __restrict r,
                                              float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = o[i] - r[i];
}
[[gnu::always_inline]] inline void difference_back(const float* /*o*/, const float* /*r*/,
                                                   const float* __restrict q,
                                                   float* __restrict for_o, float* __restrict for_r,
                                                   std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for_o[i] += q[i];
    for_r[i] -= q[i];
  }
}

std::size_t as_long(std::size_t n) {
  return n;
}
std::size_t half_as_long(std::size_t n) {
  return n / 2;
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

Model translation(const std::string& name, const Comparison& comparison) {
  return {.name = name,
          .comparison = comparison,
          .object = {version<sum>(), version<sum_back>()},
          .subject = {version<difference>(), version<difference_back>()},
          .relation_length = as_long,
          .query_flops = per_component<1>,
          .complex_numbers = false,
          .phases = false,
          .matrices = false};
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> all = {
      {.name = "complex",
       .comparison = inner_product(),
       .object = {version<complex_object>(), version<complex_object_back>()},
       .subject = {version<complex_subject>(), version<complex_subject_back>()},
       .relation_length = as_long,
       .query_flops = per_component<3>,
       .complex_numbers = true,
       .phases = false,
       .matrices = false},
      {.name = "distmult",
       .comparison = inner_product(),
       .object = {version<product>(), version<product_back>()},
       .subject = {version<product>(), version<product_back>()},
       .relation_length = as_long,
       .query_flops = per_component<1>,
       .complex_numbers = false,
       .phases = false,
       .matrices = false},
      {.name = "rescal",
       .comparison = inner_product(),
       .object = {version<row_times_matrix>(), matrix_object_back},
       .subject = {matrix_times_column, matrix_subject_back},
       .relation_length = squared,
       .query_flops = two_per_pair,
       .complex_numbers = false,
       .phases = false,
       .matrices = true},
      translation("transe_l1", l1_distance()),
      translation("transe_l2", l2_distance()),
      {.name = "rotate",
       .comparison = complex_distance(),
       .object = {rotate_forth, rotate_forth_back},
       .subject = {rotate_back, rotate_back_back},
       .relation_length = half_as_long,
       .query_flops = per_component<30>,
       .complex_numbers = true,
       .phases = true,
       .matrices = false}};
  return all;
}

}  // namespace pslab::kge
