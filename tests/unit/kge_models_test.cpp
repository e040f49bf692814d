// Models of the knowledge-graph workload: scores by hand, gradients against finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "base/random.hpp"
#include "workloads/knowledge_graph/models.hpp"
#include "workloads/knowledge_graph/tile.hpp"

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

Vector query(const Model::Side& side, const Vector& entity, const Vector& relation) {
  Vector out(entity.size());
  side.query(entity.data(), relation.data(), out.data(), entity.size());
  return out;
}

double compare(const Model& of, const Vector& q, const Vector& entity) {
  return double{of.comparison.score(q.data(), entity.data(), q.size())};
}

double score(const Model& of, const Parts& p) {
  return compare(of, query(of.object, p.s, p.r), p.o);
}

/// Component k of an entity.
std::complex<double> number(const Vector& v, std::size_t k) {
  return {double{v[k]}, double{v[v.size() / 2 + k]}};
}

TEST(KgeModels, OfProductsScoreAsTheirFormulasSay) {
  for (const std::size_t n : {2U, 6U, 100U}) {
    const Parts p(model("complex"), n);
    double distmult = 0.0;
    for (std::size_t i = 0; i < n; ++i) distmult += double{p.s[i]} * p.r[i] * p.o[i];
    EXPECT_NEAR(score(model("distmult"), p), distmult, 1e-4);

    std::complex<double> sum = 0.0;
    for (std::size_t k = 0; k < n / 2; ++k) {
      sum += number(p.s, k) * number(p.r, k) * std::conj(number(p.o, k));
    }
    EXPECT_NEAR(score(model("complex"), p), sum.real(), 1e-4);

    const Parts q(model("rescal"), n);
    double rescal = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rescal += double{q.s[i]} * q.r[i * n + j] * q.o[j];
    }
    EXPECT_NEAR(score(model("rescal"), q), rescal, 1e-3);
  }
}

TEST(KgeModels, OfDistancesScoreAsTheirFormulasSay) {
  for (const std::size_t n : {2U, 6U, 100U}) {
    const Parts p(model("transe_l1"), n);
    double l1 = 0.0;
    double l2 = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = double{p.s[i]} + p.r[i] - p.o[i];
      l1 += std::abs(difference);
      l2 += difference * difference;
    }
    EXPECT_NEAR(score(model("transe_l1"), p), -l1, 1e-4);
    EXPECT_NEAR(score(model("transe_l2"), p), -std::sqrt(l2), 1e-5);

    Parts q(model("rotate"), n);
    for (float& angle : q.r) angle *= 20.0F;  // several times around
    double rotate = 0.0;
    for (std::size_t k = 0; k < n / 2; ++k) {
      rotate += std::abs(number(q.s, k) * std::polar(1.0, double{q.r[k]}) - number(q.o, k));
    }
    EXPECT_NEAR(score(model("rotate"), q), -rotate, 1e-4);
  }
}

TEST(KgeModels, ScoreTheSameFromBothSides) {
  for (const Model& of : models()) {
    for (const std::size_t n : {2U, 16U, 66U}) {
      const Parts p(of, n);
      EXPECT_NEAR(compare(of, query(of.subject, p.o, p.r), p.s), score(of, p), 2e-4)
          << of.name << n;
    }
  }
}

/// The derivative by x of what is computed.
template <typename Compute>
double slope(float& x, Compute compute) {
  constexpr float kStep = 1e-2F;
  const float before = x;
  x = before + kStep;
  const double above = compute();
  x = before - kStep;
  const double below = compute();
  x = before;
  return (above - below) / (2 * double{kStep});
}

TEST(KgeModels, HaveTheGradientsOfFiniteDifferences) {
  constexpr std::size_t kN = 10;
  constexpr float kFactor = -1.5F;
  for (const Model& of : models()) {
    for (const std::size_t side_number : {0U, 1U}) {
      const Model::Side& side = of.side(side_number);
      Parts p(of, kN);
      const auto compute = [&] {
        return double{kFactor} * compare(of, query(side, p.s, p.r), p.o);
      };
      const Vector q = query(side, p.s, p.r);
      Vector for_query(kN, 0.0F);
      Vector for_s(kN, 1.0F);  // gradients are added
      Vector for_r(p.r.size(), 2.0F);
      Vector for_o(kN, 3.0F);
      of.comparison.add_gradients(kFactor, static_cast<float>(compare(of, q, p.o)), q.data(),
                                  p.o.data(), for_query.data(), for_o.data(), kN);
      side.back(p.s.data(), p.r.data(), for_query.data(), for_s.data(), for_r.data(), kN);
      for (std::size_t i = 0; i < kN; ++i) {
        EXPECT_NEAR(double{for_s[i]} - 1.0, slope(p.s[i], compute), 2e-3) << of.name << i;
        EXPECT_NEAR(double{for_o[i]} - 3.0, slope(p.o[i], compute), 2e-3) << of.name << i;
      }
      for (std::size_t i = 0; i < p.r.size(); ++i) {
        EXPECT_NEAR(double{for_r[i]} - 2.0, slope(p.r[i], compute), 2e-3) << of.name << i;
      }
    }
  }
}

TEST(KgeModels, OfDistancesHaveFiniteGradientsWhereTheDistanceIsZero) {
  for (const Model& of : models()) {
    if (of.comparison.inner_product) continue;
    const Vector q = drawn(8, 6);
    Vector for_query(8, 0.0F);
    Vector for_entity(8, 0.0F);
    EXPECT_EQ(of.comparison.score(q.data(), q.data(), 8), 0.0F) << of.name;
    of.comparison.add_gradients(1.0F, 0.0F, q.data(), q.data(), for_query.data(), for_entity.data(),
                                8);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(for_query[i], 0.0F) << of.name;
      EXPECT_EQ(for_entity[i], 0.0F) << of.name;
    }
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

TEST(KgeTiles, ScoreEachVectorAsItIsScoredAlone) {
  for (const Model& of : models()) {
    for (const std::size_t n : {2U, 14U, 100U}) {
      const Vector one = drawn(n, 5);
      Vector vectors;
      for (std::size_t i = 0; i < kTile; ++i) {
        const Vector entity = drawn(n, 10 + i);
        vectors.insert(vectors.end(), entity.begin(), entity.end());
      }
      Vector together;
      Vector scores(kTile);
      fill_tile(vectors.data(), kTile, n, n, together);
      of.comparison.score_tile(one.data(), together.data(), n, scores.data());
      for (std::size_t i = 0; i < kTile; ++i) {
        const float* entity = vectors.data() + i * n;
        Vector alone;
        Vector score(kTile);
        fill_tile(entity, 1, n, n, alone);
        of.comparison.score_tile(one.data(), alone.data(), n, score.data());
        EXPECT_EQ(scores[i], score[0]) << of.name << n << " " << i;
        EXPECT_NEAR(scores[i], of.comparison.score(one.data(), entity, n), 1e-4F) << of.name;
      }
    }
  }
}

}  // namespace
}  // namespace pslab::kge
