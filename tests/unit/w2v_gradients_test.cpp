// The arithmetic of word2vec: losses and steps against finite differences, for skip-gram and CBOW.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "workloads/word2vec/gradients.hpp"

namespace pslab::word2vec {
namespace {

using Vector = std::vector<float>;

constexpr std::size_t kN = 7;
/// A table so fine that it is the function.
const Sigmoid& exact() {
  static const Sigmoid sigmoid(4'000'000, 20.0F);
  return sigmoid;
}

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

Vector random_vector(std::size_t n, std::uint64_t number) {
  Random random(1, "gradients", number);
  Vector vector(n);
  for (float& x : vector) x = static_cast<float>(random.normal());
  return vector;
}

/// Some inputs, a target and noise words, one of which is the target itself.
struct Case {
  std::vector<Key> noise_keys = {5, 3, 9};  // 3: the target
  Vector inputs;
  Vector target = random_vector(kN, 1);
  Vector noise = random_vector(3 * kN, 2);

  explicit Case(std::size_t count) : inputs(random_vector(count * kN, 3)) {}

  /// By the formula, in double.
  double loss() const {
    std::vector<double> mean(kN, 0.0);
    const std::size_t count = inputs.size() / kN;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      mean[i % kN] += double{inputs[i]} / static_cast<double>(count);
    }
    const auto score = [&](const float* vector) {
      return std::inner_product(mean.begin(), mean.end(), vector, 0.0);
    };
    double loss = -std::log(sigmoid(score(target.data())));
    for (std::size_t i : {0U, 2U}) loss -= std::log(sigmoid(-score(noise.data() + i * kN)));
    return loss;
  }

  /// Of the loss, for one of the floats above.
  double slope(float& x) const {
    constexpr float kStep = 1e-2F;
    const float before = x;
    x = before + kStep;
    const double up = loss();
    x = before - kStep;
    const double down = loss();
    x = before;
    return (up - down) / (2.0 * double{kStep});
  }
};

struct Deltas {
  Vector inputs;
  Vector target = Vector(kN, 0.0F);
  Vector noise = Vector(3 * kN, 123.0F);
  Losses losses;
};

Deltas skip_gram(const Case& of, const Sigmoid& sigmoid, float alpha) {
  Deltas deltas;
  deltas.inputs.assign(kN, 0.0F);
  Vector target = of.target;
  predict(of.inputs.data(), kN, {3, target.data(), deltas.target.data()},
          {of.noise_keys, of.noise.data(), deltas.noise.data()}, alpha, sigmoid,
          deltas.inputs.data(), deltas.losses);
  for (std::size_t k = 0; k < kN; ++k) EXPECT_EQ(target[k], of.target[k] + deltas.target[k]);
  return deltas;
}

Deltas cbow(const Case& of, bool share) {
  Deltas deltas;
  deltas.inputs.assign(of.inputs.size(), 0.0F);
  Vector target = of.target;
  Vector room(2 * kN, 99.0F);
  predict_from_mean(of.inputs.data(), of.inputs.size() / kN, kN,
                    {3, target.data(), deltas.target.data()},
                    {of.noise_keys, of.noise.data(), deltas.noise.data()}, 1.0F, exact(), share,
                    room.data(), deltas.inputs.data(), deltas.losses);
  return deltas;
}

void expect_steps_downhill(Case of, const Deltas& deltas) {
  constexpr double kNear = 2e-3;
  EXPECT_NEAR(deltas.losses.loss, of.loss(), 1e-4);
  for (std::size_t i = 0; i < of.inputs.size(); ++i) {
    EXPECT_NEAR(double{deltas.inputs[i]}, -of.slope(of.inputs[i]), kNear) << "input " << i;
  }
  for (std::size_t i = 0; i < kN; ++i) {
    EXPECT_NEAR(double{deltas.target[i]}, -of.slope(of.target[i]), kNear) << "target " << i;
  }
  for (std::size_t i = 0; i < of.noise.size(); ++i) {
    EXPECT_NEAR(double{deltas.noise[i]}, -of.slope(of.noise[i]), kNear) << "noise " << i;
  }
}

TEST(SkipGram, StepsAgainstTheGradientOfItsLoss) {
  const Case one(1);
  expect_steps_downhill(one, skip_gram(one, exact(), 1.0F));
}

TEST(Cbow, StepsAgainstTheGradientOfItsLossWithShares) {
  for (const std::size_t count : {1U, 2U, 5U}) {
    const Case several(count);
    expect_steps_downhill(several, cbow(several, true));
  }
}

TEST(Cbow, GivesEachContextTheStepOfTheMeanWithoutShares) {
  const Case several(4);
  const Deltas whole = cbow(several, false);
  const Deltas share = cbow(several, true);
  for (std::size_t i = 0; i < whole.inputs.size(); ++i) {
    EXPECT_FLOAT_EQ(whole.inputs[i], 4.0F * share.inputs[i]);
  }
  EXPECT_EQ(whole.target, share.target);
  EXPECT_EQ(whole.noise, share.noise);
}

TEST(ANoiseWord, ThatIsTheTargetChangesNothing) {
  const Deltas deltas = skip_gram(Case(1), exact(), 1.0F);
  for (std::size_t i = kN; i < 2 * kN; ++i) EXPECT_EQ(deltas.noise[i], 0.0F);
}

TEST(TheLearningRate, ScalesSteps) {
  const Case one(1);
  const Deltas whole = skip_gram(one, exact(), 1.0F);
  const Deltas half = skip_gram(one, exact(), 0.5F);
  for (std::size_t i = 0; i < kN; ++i) {
    EXPECT_FLOAT_EQ(half.inputs[i], 0.5F * whole.inputs[i]);
    EXPECT_FLOAT_EQ(half.target[i], 0.5F * whole.target[i]);
  }
}

TEST(TheTableOfTheLogisticFunction, IsNearItWithinItsLimitAndSaturatedBeyond) {
  const Sigmoid table;
  for (double x = -5.99; x < 6.0; x += 0.013) {
    const Sigmoid::At at = table(static_cast<float>(x));
    EXPECT_NEAR(double{at.value}, sigmoid(x), 0.004) << x;
    EXPECT_NEAR(double{at.loss}, std::log1p(std::exp(x)), 0.013) << x;
  }
  EXPECT_EQ(table(6.0F).value, 1.0F);
  EXPECT_EQ(table(100.0F).loss, 100.0F);
  EXPECT_EQ(table(-6.0F).value, 0.0F);
  EXPECT_EQ(table(-100.0F).loss, 0.0F);
}

TEST(AScore, ThatIsNoFiniteNumberShows) {
  for (const float bad : {NAN, INFINITY}) {
    Case of(1);
    of.noise[0] = bad;
    EXPECT_FALSE(std::isfinite(skip_gram(of, exact(), 1.0F).losses.scores)) << bad;
  }
  EXPECT_TRUE(std::isfinite(skip_gram(Case(1), exact(), 1.0F).losses.scores));
}

}  // namespace
}  // namespace pslab::word2vec
