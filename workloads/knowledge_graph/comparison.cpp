#include "workloads/knowledge_graph/comparison.hpp"

#include <cmath>

#include "base/dot.hpp"
#include "workloads/knowledge_graph/versions.hpp"

// Inner loops are over vectors' components or over the vectors of a tile, without dependences.
namespace pslab::kge {
namespace {

/// Below it a distance has no direction.
constexpr float kTiny = 1e-30F;
constexpr std::size_t kLanes = 32;

struct Absolute {
  static float term(float q, float e) { return std::fabs(q - e); }
};
struct Square {
  static float term(float q, float e) { return (q - e) * (q - e); }
};

float modulus(float real, float imaginary) {
  return std::sqrt(real * real + imaginary * imaginary);
}

/// The lanes' sum, always in the same order.
[[gnu::always_inline]] inline float added_up(float* lanes) {
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

template <typename Term>
[[gnu::always_inline]] inline float sum_of_terms(const float* __restrict q,
                                                 const float* __restrict e, std::size_t n) {
  float lanes[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= n; k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += Term::term(q[k + lane], e[k + lane]);
    }
  }
  float total = added_up(lanes);
  for (; k < n; ++k) total += Term::term(q[k], e[k]);
  return total;
}

/// Half a tile at a time stays in vector registers.
template <typename Term>
[[gnu::always_inline]] inline void sums_of_tile(const float* __restrict one,
                                                const float* __restrict tile, std::size_t n,
                                                float* __restrict sums) {
  constexpr std::size_t kHalf = kTile / 2;
  for (std::size_t half = 0; half < kTile; half += kHalf) {
    float part[kHalf] = {};
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < kHalf; ++i) {
        part[i] += Term::term(one[k], tile[k * kTile + half + i]);
      }
    }
    for (std::size_t i = 0; i < kHalf; ++i) sums[half + i] = part[i];
  }
}

[[gnu::always_inline]] inline void add_product_gradients(float factor, float /*score*/,
                                                         const float* __restrict q,
                                                         const float* __restrict e,
                                                         float* __restrict for_q,
                                                         float* __restrict for_e, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    for_q[k] += factor * e[k];
    for_e[k] += factor * q[k];
  }
}

[[gnu::always_inline]] inline float l1_score(const float* q, const float* e, std::size_t n) {
  return -sum_of_terms<Absolute>(q, e, n);
}
[[gnu::always_inline]] inline void l1_tile(const float* one, const float* tile, std::size_t n,
                                           float* scores) {
  sums_of_tile<Absolute>(one, tile, n, scores);
  for (std::size_t i = 0; i < kTile; ++i) scores[i] = -scores[i];
}
[[gnu::always_inline]] inline void add_l1_gradients(float factor, float /*score*/,
                                                    const float* __restrict q,
                                                    const float* __restrict e,
                                                    float* __restrict for_q,
                                                    float* __restrict for_e, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const float difference = q[k] - e[k];
    const float sign = (difference > 0.0F ? 1.0F : 0.0F) - (difference < 0.0F ? 1.0F : 0.0F);
    for_q[k] -= factor * sign;
    for_e[k] += factor * sign;
  }
}

[[gnu::always_inline]] inline float l2_score(const float* q, const float* e, std::size_t n) {
  return -std::sqrt(sum_of_terms<Square>(q, e, n));
}
[[gnu::always_inline]] inline void l2_tile(const float* one, const float* tile, std::size_t n,
                                           float* scores) {
  sums_of_tile<Square>(one, tile, n, scores);
  for (std::size_t i = 0; i < kTile; ++i) scores[i] = -std::sqrt(scores[i]);
}
[[gnu::always_inline]] inline void add_l2_gradients(float factor, float score,
                                                    const float* __restrict q,
                                                    const float* __restrict e,
                                                    float* __restrict for_q,
                                                    float* __restrict for_e, std::size_t n) {
  const float scale = factor / (kTiny - score);
  for (std::size_t k = 0; k < n; ++k) {
    const float part = scale * (q[k] - e[k]);
    for_q[k] -= part;
    for_e[k] += part;
  }
}

[[gnu::always_inline]] inline float complex_score(const float* __restrict q,
                                                  const float* __restrict e, std::size_t n) {
  const std::size_t half = n / 2;
  float lanes[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= half; k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = k + lane;
      lanes[lane] += modulus(q[i] - e[i], q[half + i] - e[half + i]);
    }
  }
  float total = added_up(lanes);
  for (; k < half; ++k) total += modulus(q[k] - e[k], q[half + k] - e[half + k]);
  return -total;
}
[[gnu::always_inline]] inline void complex_tile(const float* __restrict one,
                                                const float* __restrict tile, std::size_t n,
                                                float* __restrict scores) {
  float sums[kTile] = {};
  const float* imaginary = tile + n / 2 * kTile;
  for (std::size_t k = 0; k < n / 2; ++k) {
    for (std::size_t i = 0; i < kTile; ++i) {
      sums[i] += modulus(one[k] - tile[k * kTile + i], one[n / 2 + k] - imaginary[k * kTile + i]);
    }
  }
  for (std::size_t i = 0; i < kTile; ++i) scores[i] = -sums[i];
}
[[gnu::always_inline]] inline void add_complex_gradients(float factor, float /*score*/,
                                                         const float* __restrict q,
                                                         const float* __restrict e,
                                                         float* __restrict for_q,
                                                         float* __restrict for_e, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t k = 0; k < half; ++k) {
    const float real = q[k] - e[k];
    const float imaginary = q[half + k] - e[half + k];
    const float scale = factor / (modulus(real, imaginary) + kTiny);
    for_q[k] -= scale * real;
    for_e[k] += scale * real;
    for_q[half + k] -= scale * imaginary;
    for_e[half + k] += scale * imaginary;
  }
}

}  // namespace

Comparison inner_product() {
  return {dot, score_tile, version<add_product_gradients>(), true};
}

Comparison l1_distance() {
  return {version<l1_score>(), version<l1_tile>(), version<add_l1_gradients>(), false};
}

Comparison l2_distance() {
  return {version<l2_score>(), version<l2_tile>(), version<add_l2_gradients>(), false};
}

Comparison complex_distance() {
  return {version<complex_score>(), version<complex_tile>(), version<add_complex_gradients>(),
          false};
}

}  // namespace pslab::kge
