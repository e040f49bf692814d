#include "workloads/knowledge_graph/rotation.hpp"

#include <array>

#include "workloads/knowledge_graph/versions.hpp"

namespace pslab::kge {
namespace {

/// Of an angle. Arithmetic only, so that it is the same on every machine.
struct Turn {
  float cos, sin;
};

constexpr int kTerms = 11;

/// 1 / first!, -1 / (first + 2)!, 1 / (first + 4)!, ...
constexpr std::array<double, kTerms> taylor(int first) {
  std::array<double, kTerms> terms{};
  double term = 1.0;
  for (int i = 0; i < kTerms; ++i) {
    terms[static_cast<std::size_t>(i)] = term;
    const int next = first + 2 * i;
    term = -term / ((next + 1.0) * (next + 2.0));
  }
  return terms;
}

constexpr auto kSin = taylor(1);
constexpr auto kCos = taylor(0);

/// Taylor's series to the 20th power: within +-pi the error is below 2e-10.
[[gnu::always_inline]] inline Turn turn(float angle) {
  constexpr double kCircle = 6.283185307179586;
  constexpr double kRounds = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const double turns = (double{angle} / kCircle + kRounds) - kRounds;
  const double x = double{angle} - turns * kCircle;
  const double square = x * x;
  double sin = kSin[kTerms - 1];
  double cos = kCos[kTerms - 1];
  for (int i = kTerms - 2; i >= 0; --i) {
    sin = sin * square + kSin[static_cast<std::size_t>(i)];
    cos = cos * square + kCos[static_cast<std::size_t>(i)];
  }
  return {static_cast<float>(cos), static_cast<float>(sin * x)};
}

/// kSign: 1 turns by the angles, -1 by their negatives.
template <int kSign>
[[gnu::always_inline]] inline void rotate(const float* __restrict entity,
                                          const float* __restrict angles, float* __restrict query,
                                          std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const auto [cos, sin] = turn(kSign * angles[i]);
    query[i] = entity[i] * cos - entity[half + i] * sin;
    query[half + i] = entity[i] * sin + entity[half + i] * cos;
  }
}

/// The query gradient is turned back for the entity. For an angle: its product with the query that
/// is turned by a right angle more.
template <int kSign>
[[gnu::always_inline]] inline void rotate_gradient(const float* __restrict entity,
                                                   const float* __restrict angles,
                                                   const float* __restrict q,
                                                   float* __restrict for_entity,
                                                   float* __restrict for_angles, std::size_t n) {
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const auto [cos, sin] = turn(kSign * angles[i]);
    for_entity[i] += q[i] * cos + q[half + i] * sin;
    for_entity[half + i] += q[half + i] * cos - q[i] * sin;
    const float real = entity[i] * cos - entity[half + i] * sin;
    const float imaginary = entity[i] * sin + entity[half + i] * cos;
    for_angles[i] += kSign * (q[half + i] * real - q[i] * imaginary);
  }
}

}  // namespace

void rotate_forth(const float* subject, const float* angles, float* query, std::size_t n) {
  static const auto run = version<rotate<1>>();
  run(subject, angles, query, n);
}

void rotate_forth_back(const float* subject, const float* angles, const float* query_gradient,
                       float* subject_gradient, float* angle_gradient, std::size_t n) {
  static const auto run = version<rotate_gradient<1>>();
  run(subject, angles, query_gradient, subject_gradient, angle_gradient, n);
}

void rotate_back(const float* object, const float* angles, float* query, std::size_t n) {
  static const auto run = version<rotate<-1>>();
  run(object, angles, query, n);
}

void rotate_back_back(const float* object, const float* angles, const float* query_gradient,
                      float* object_gradient, float* angle_gradient, std::size_t n) {
  static const auto run = version<rotate_gradient<-1>>();
  run(object, angles, query_gradient, object_gradient, angle_gradient, n);
}

}  // namespace pslab::kge
