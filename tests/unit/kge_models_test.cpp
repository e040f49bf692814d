// Models and losses of the knowledge-graph workload: scores by hand, gradients against finite
// differences.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/dot.hpp"
#include "base/random.hpp"
#include "workloads/knowledge_graph/kernels.hpp"
#include "workloads/knowledge_graph/loss.hpp"
#include "workloads/knowledge_graph/models.hpp"

namespace pslab::kge {
namespace {

using Vector = std::vector<float>;

const Model& model(const std::string& name) {
  for (const Model& one : models()) {
    if (one.name == name) return one;
  }
  throw std::logic_error(name);
}

Vector drawn(std::size_t n, std::uint64_t number) {
  Random random(1, "kge test", number);
  Vector values(n);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

struct Parts {
  Parts(const Model& of, std::size_t n)
      : s(drawn(n, 1)), r(drawn(of.relation_length(n), 2)), o(drawn(n, 3)) {}
  Vector s, r, o;
};

Vector query(Model::Query make, const Vector& a, const Vector& b, std::size_t length,
             std::size_t n) {
  Vector out(length);
  make(a.data(), b.data(), out.data(), n);
  return out;
}

double inner(const Vector& a, const Vector& b) {
  return double{dot(a.data(), b.data(), a.size())};
}

double score(const Model& of, const Parts& p) {
  return inner(query(of.object_query, p.s, p.r, p.s.size(), p.s.size()), p.o);
}

TEST(KgeModels, ScoreAsTheirFormulasSay) {
  for (const std::size_t n : {2U, 6U, 100U}) {
    const Parts p(model("distmult"), n);
    double distmult = 0.0;
    for (std::size_t i = 0; i < n; ++i) distmult += double{p.s[i]} * p.r[i] * p.o[i];
    EXPECT_NEAR(score(model("distmult"), p), distmult, 1e-4);

    const std::size_t h = n / 2;
    double complex = 0.0;
    for (std::size_t i = 0; i < h; ++i) {
      complex += double{p.r[i]} * p.s[i] * p.o[i] + double{p.r[i]} * p.s[h + i] * p.o[h + i] +
                 double{p.r[h + i]} * p.s[i] * p.o[h + i] -
                 double{p.r[h + i]} * p.s[h + i] * p.o[i];
    }
    EXPECT_NEAR(score(model("complex"), p), complex, 1e-4);

    const Parts q(model("rescal"), n);
    double rescal = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rescal += double{q.s[i]} * q.r[i * n + j] * q.o[j];
    }
    EXPECT_NEAR(score(model("rescal"), q), rescal, 1e-3);
  }
}

TEST(KgeModels, ScoreTheSameFromEveryPart) {
  for (const Model& of : models()) {
    for (const std::size_t n : {2U, 16U, 66U}) {
      const Parts p(of, n);
      const double expected = score(of, p);
      EXPECT_NEAR(inner(query(of.subject_query, p.r, p.o, n, n), p.s), expected, 2e-4) << of.name;
      EXPECT_NEAR(inner(query(of.relation_query, p.s, p.o, p.r.size(), n), p.r), expected, 2e-4)
          << of.name;
    }
  }
}

TEST(KgeModels, HaveTheGradientsOfFiniteDifferences) {
  constexpr std::size_t kN = 10;
  constexpr float kStep = 0.25F;  // the score is linear in each part: any step is exact
  for (const Model& of : models()) {
    Parts p(of, kN);
    const auto expect_gradient = [&](Vector& part, const Vector& gradient) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        const float before = part[i];
        part[i] = before + kStep;
        const double above = score(of, p);
        part[i] = before - kStep;
        const double below = score(of, p);
        part[i] = before;
        EXPECT_NEAR(double{gradient[i]}, (above - below) / (2 * kStep), 1e-4) << of.name << i;
      }
    };
    expect_gradient(p.s, query(of.subject_query, p.r, p.o, kN, kN));
    expect_gradient(p.r, query(of.relation_query, p.s, p.o, p.r.size(), kN));
    expect_gradient(p.o, query(of.object_query, p.s, p.r, kN, kN));
  }
}

TEST(KgeModels, ComplExTellsSubjectFromObjectAndDistMultDoesNot) {
  Parts p(model("complex"), 8);
  const double forth = score(model("complex"), p);
  const double symmetric = score(model("distmult"), p);
  std::swap(p.s, p.o);
  EXPECT_GT(std::abs(score(model("complex"), p) - forth), 0.1);
  EXPECT_NEAR(score(model("distmult"), p), symmetric, 1e-5);
}

TEST(KgeLosses, HaveTheDerivativesOfFiniteDifferences) {
  constexpr float kStep = 1e-2F;
  for (const Loss loss : {binary_cross_entropy, softmax_cross_entropy}) {
    const Vector scores = drawn(7, 4);
    Vector derivatives = scores;
    EXPECT_GT(loss(derivatives), 0.0);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Vector above = scores;
      Vector below = scores;
      above[i] += kStep;
      below[i] -= kStep;
      EXPECT_NEAR(double{derivatives[i]}, (loss(above) - loss(below)) / (2 * kStep), 1e-3) << i;
    }
  }
}

TEST(KgeLosses, StayFiniteForScoresOfAnySize) {
  for (const Loss loss : {binary_cross_entropy, softmax_cross_entropy}) {
    Vector scores = {-1e30F, 1e30F, -1e30F};
    EXPECT_TRUE(std::isfinite(loss(scores)));
    for (const float derivative : scores) EXPECT_LE(std::abs(derivative), 2.0F);
  }
}

TEST(KgeTiles, ScoreEachEntityAsItIsScoredAlone) {
  for (const std::size_t n : {1U, 7U, 100U}) {
    const Vector query = drawn(n, 5);
    Vector tile(kTile * n);
    Vector scores(kTile);
    for (std::size_t i = 0; i < kTile; ++i) {
      const Vector entity = drawn(n, 10 + i);
      for (std::size_t k = 0; k < n; ++k) tile[k * kTile + i] = entity[k];
    }
    score_tile(query.data(), tile.data(), n, scores.data());
    for (std::size_t i = 0; i < kTile; ++i) {
      const Vector entity = drawn(n, 10 + i);
      EXPECT_EQ(scores[i], score_one(query.data(), entity.data(), n)) << n << " " << i;
      EXPECT_NEAR(double{scores[i]}, inner(query, entity), 1e-4);
    }
  }
}

TEST(KgeAdaGrad, IsAStepAndASquareForTheAccumulator) {
  const Vector value = {1.0F, 2.0F, /*accumulators*/ 0.0F, 12.0F};
  const Vector gradient = {3.0F, -1.0F};
  Vector delta(4);
  adagrad(value.data(), gradient.data(), {2.0F, 0.0F, 0.5F}, delta.data(), 2);
  EXPECT_FLOAT_EQ(delta[0], -0.5F);  // -0.5 * 6 / sqrt(36)
  EXPECT_FLOAT_EQ(delta[1], 0.25F);  // -0.5 * -2 / sqrt(12 + 4)
  EXPECT_FLOAT_EQ(delta[2], 36.0F);
  EXPECT_FLOAT_EQ(delta[3], 4.0F);
  adagrad(value.data(), gradient.data(), {0.0F, 1.0F, 0.5F}, delta.data(), 2);
  EXPECT_FLOAT_EQ(delta[3], 4.0F);  // l2 * embedding
}

TEST(KgeAdaGrad, DoesNothingWithoutAGradient) {
  const Vector value(40, 0.0F);
  const Vector gradient(20, 0.0F);
  Vector delta(40, 9.0F);
  adagrad(value.data(), gradient.data(), {1.0F, 0.0F, 0.1F}, delta.data(), 20);
  for (const float component : delta) EXPECT_EQ(component, 0.0F);
}

}  // namespace
}  // namespace pslab::kge
