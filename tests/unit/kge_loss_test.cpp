// Losses of the knowledge-graph workload, AdaGrad and regularisation.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "workloads/knowledge_graph/kernels.hpp"
#include "workloads/knowledge_graph/loss.hpp"

namespace pslab::kge {
namespace {

using Vector = std::vector<float>;

Vector drawn(std::size_t n, std::uint64_t number) {
  Random random(1, "kge test", number);
  Vector values(n);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

double softplus(double x) {
  return std::log1p(std::exp(x));
}

const Vector kScores = {1.0F, /*objects*/ 0.5F, -2.0F, /*subjects*/ 3.0F, 0.0F};

TEST(KgeLosses, OfBinaryCrossEntropyAreAddedUp) {
  Vector scores = kScores;
  EXPECT_NEAR(binary_cross_entropy(scores, {}),
              softplus(-1.0) + softplus(0.5) + softplus(-2.0) + softplus(3.0) + softplus(0.0),
              1e-6);
}

TEST(KgeLosses, OfTheSoftmaxHaveThePositiveOnBothSides) {
  Vector scores = kScores;
  const double e = std::exp(1.0);
  EXPECT_NEAR(
      softmax_cross_entropy(scores, {}),
      -std::log(e / (e + std::exp(0.5) + std::exp(-2.0))) - std::log(e / (e + std::exp(3.0) + 1.0)),
      1e-6);
}

TEST(KgeLosses, OfMarginsAreForNegativesThatAreTooNear) {
  Vector scores = kScores;
  EXPECT_NEAR(margin_ranking(scores, {.margin = 2.0}), 1.5 + 4.0 + 1.0, 1e-6);
  EXPECT_EQ(scores, (Vector{-3.0F, 1.0F, 0.0F, 1.0F, 1.0F}));
}

TEST(KgeLosses, OfSelfAdversarialSamplesWeighHighScoresMore) {
  Vector scores = kScores;
  const double gamma = 0.5;
  const double a = std::exp(2.0 * 0.5);
  const double b = std::exp(2.0 * -2.0);
  const double c = std::exp(2.0 * 3.0);
  EXPECT_NEAR(self_adversarial(scores, {.margin = gamma, .temperature = 2.0}),
              2.0 * softplus(-1.5) + (a * softplus(1.0) + b * softplus(-1.5)) / (a + b) +
                  (c * softplus(3.5) + softplus(0.5)) / (c + 1.0),
              1e-6);
  // The weights count as constants: each derivative is weight * sigmoid.
  EXPECT_NEAR(double{scores[3]}, c / (c + 1.0) / (1.0 + std::exp(-3.5)), 1e-6);
}

TEST(KgeLosses, HaveTheDerivativesOfFiniteDifferences) {
  constexpr float kStep = 1e-2F;
  // With temperature 0 the weights of self_adversarial are constants.
  const LossOptions options{.margin = 0.7, .temperature = 0.0};
  for (const auto& [name, loss] : losses()) {
    const Vector scores = drawn(7, 4);
    Vector derivatives = scores;
    EXPECT_GT(loss(derivatives, options), 0.0);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Vector above = scores;
      Vector below = scores;
      above[i] += kStep;
      below[i] -= kStep;
      EXPECT_NEAR(double{derivatives[i]},
                  (loss(above, options) - loss(below, options)) / (2 * double{kStep}), 1e-3)
          << name << i;
    }
  }
}

TEST(KgeLosses, StayFiniteForScoresOfAnySize) {
  for (const auto& [name, loss] : losses()) {
    Vector scores = {-1e30F, 1e30F, -1e30F};
    EXPECT_TRUE(std::isfinite(loss(scores, {}))) << name;
    for (const float derivative : scores) EXPECT_LE(std::abs(derivative), 2.0F) << name;
  }
}

TEST(KgeLosses, AreNoNumberWhenAScoreIsNone) {
  for (const auto& [name, loss] : losses()) {
    if (name == "margin") continue;  // compares scores only: that is why a step looks at them too
    Vector scores = {1.0F, std::nanf(""), 0.5F};
    EXPECT_TRUE(std::isnan(loss(scores, {}))) << name;
  }
}

TEST(KgeAdaGrad, IsAStepAndASquareForTheAccumulator) {
  const Vector value = {1.0F, 2.0F, /*accumulators*/ 0.0F, 12.0F};
  Vector delta(4);
  adagrad(value.data(), Vector{6.0F, -2.0F}.data(), {0.0F, 0.5F}, delta.data(), 2);
  EXPECT_FLOAT_EQ(delta[0], -0.5F);  // -0.5 * 6 / sqrt(36)
  EXPECT_FLOAT_EQ(delta[1], 0.25F);  // -0.5 * -2 / sqrt(12 + 4)
  EXPECT_FLOAT_EQ(delta[2], 36.0F);
  EXPECT_FLOAT_EQ(delta[3], 4.0F);
  adagrad(value.data(), Vector{0.0F, 0.0F}.data(), {1.0F, 0.5F}, delta.data(), 2);
  EXPECT_FLOAT_EQ(delta[3], 4.0F);  // l2 * embedding
}

TEST(KgeAdaGrad, DoesNothingWithoutAGradient) {
  const Vector value(40, 0.0F);
  const Vector gradient(20, 0.0F);
  Vector delta(40, 9.0F);
  adagrad(value.data(), gradient.data(), {0.0F, 0.1F}, delta.data(), 20);
  for (const float component : delta) EXPECT_EQ(component, 0.0F);
}

TEST(KgeSums, AreOfVectorsTimesFactors) {
  constexpr std::size_t kStride = 110;
  const Vector factors = drawn(5, 1);
  const Vector vectors = drawn(5 * kStride, 2);
  for (const std::size_t n : {1U, 8U, 64U, 100U}) {
    Vector sum = drawn(n, 3);
    Vector expected = sum;
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t k = 0; k < n; ++k) expected[k] += factors[i] * vectors[i * kStride + k];
    }
    add_weighted({factors.data(), vectors.data(), 5, kStride}, sum.data(), n);
    EXPECT_EQ(sum, expected) << n;
  }
}

TEST(KgeRegularisation, IsTheDerivativeOfCubes) {
  const Vector value = {3.0F, -1.0F, 4.0F, 0.0F};
  Vector gradient(4, 1.0F);
  add_cubic(0.1F, value.data(), gradient.data(), 4);
  EXPECT_FLOAT_EQ(gradient[0], 1.9F);
  EXPECT_FLOAT_EQ(gradient[1], 0.9F);
  EXPECT_FLOAT_EQ(gradient[2], 2.6F);
  EXPECT_FLOAT_EQ(gradient[3], 1.0F);
  gradient.assign(4, 0.0F);
  add_complex_cubic(0.1F, value.data(), gradient.data(), 4);  // 3 + 4i, -1
  EXPECT_FLOAT_EQ(gradient[0], 1.5F);
  EXPECT_FLOAT_EQ(gradient[1], -0.1F);
  EXPECT_FLOAT_EQ(gradient[2], 2.0F);
  EXPECT_FLOAT_EQ(gradient[3], 0.0F);
}

}  // namespace
}  // namespace pslab::kge
