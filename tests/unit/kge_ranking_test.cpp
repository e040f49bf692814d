// Ranks of the knowledge-graph workload: ties, filters, chance.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "workloads/knowledge_graph/known_answers.hpp"
#include "workloads/knowledge_graph/ranking.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

std::vector<Triple> answers(const std::vector<std::uint32_t>& entities) {
  std::vector<Triple> known;
  for (const std::uint32_t entity : entities) known.push_back({7, 0, entity});
  return known;
}

/// Scores come in parts of `part`.
Ranking ranking(std::uint32_t answer, const std::vector<float>& scores,
                const std::vector<Triple>& known, std::size_t part = 2) {
  Ranking result(answer, scores[answer], known);
  for (std::size_t i = 0; i < scores.size(); i += part) {
    result.add(static_cast<std::uint32_t>(i),
               std::span(scores).subspan(i, std::min(part, scores.size() - i)));
  }
  return result;
}

TEST(KgeRanking, CountsBetterScores) {
  const auto known = answers({2});
  for (const std::size_t part : {1U, 2U, 3U, 5U}) {
    const Ranking found = ranking(2, {5, 1, 3, 4, 2}, known, part);
    EXPECT_EQ(found.raw_rank(Ties::kMean), 3.0);
    EXPECT_EQ(found.filtered_rank(Ties::kMean), 3.0);
  }
}

TEST(KgeRanking, LeavesOtherTrueAnswersOutWhenFiltered) {
  const auto known = answers({0, 2, 4});
  const Ranking found = ranking(2, {5, 1, 3, 4, 3}, known);
  EXPECT_EQ(found.raw_rank(Ties::kMean), 3.5);       // 0 and 3 are better, 4 is tied
  EXPECT_EQ(found.filtered_rank(Ties::kMean), 2.0);  // 3 is better
}

TEST(KgeRanking, PutsTheAnswerInTheMiddleOfItsTies) {
  const auto known = answers({1});
  EXPECT_EQ(ranking(1, {3, 3, 3, 0}, known).raw_rank(Ties::kMean), 2.0);
  EXPECT_EQ(ranking(1, {3, 3, 0, 0}, known).raw_rank(Ties::kMean), 1.5);
}

TEST(KgeRanking, PutsTheAnswerBeforeOrBehindItsTiesWhenAsked) {
  const auto known = answers({1, 3});
  const Ranking found = ranking(1, {3, 3, 9, 3, 3, 0}, known);
  EXPECT_EQ(found.raw_rank(Ties::kBest), 2.0);
  EXPECT_EQ(found.raw_rank(Ties::kMean), 3.5);
  EXPECT_EQ(found.raw_rank(Ties::kWorst), 5.0);
  EXPECT_EQ(found.filtered_rank(Ties::kBest), 2.0);
  EXPECT_EQ(found.filtered_rank(Ties::kMean), 3.0);
  EXPECT_EQ(found.filtered_rank(Ties::kWorst), 4.0);
}

TEST(KgeRanking, NeverCountsTheAnswerAgainstItself) {
  const auto known = answers({1});
  Ranking found(1, 2.0F, known);  // pulled a second time, it may have another score
  found.add(0, std::vector<float>{1.0F, 2.5F, 0.0F});
  EXPECT_EQ(found.raw_rank(Ties::kMean), 1.0);
  EXPECT_EQ(found.filtered_rank(Ties::kMean), 1.0);
}

TEST(KgeRanking, GivesAConstantScorerTheRankOfChance) {
  constexpr std::size_t kEntities = 1001;
  for (const float constant : {0.0F, 1.0F, -3e30F}) {
    const std::vector<float> scores(kEntities, constant);
    RankSums sums;
    for (std::uint32_t answer = 0; answer < kEntities; ++answer) {
      const auto known = answers({answer});
      sums.add(ranking(answer, scores, known, 100).filtered_rank(Ties::kMean));
    }
    // Every rank is the mean of 1 .. 1001.
    EXPECT_NEAR(sums.reciprocal / kEntities, 1.0 / 501.0, 1e-12);
    EXPECT_EQ(sums.hits_10, 0.0);
  }
}

TEST(KgeRanking, NoticesScoresThatAreNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto known = answers({1});
  EXPECT_EQ(ranking(1, {1, 2, nan, 0}, known).not_numbers(), 1U);
  EXPECT_EQ(ranking(1, {1, nan, 3, 0}, known).not_numbers(), 4U);
  EXPECT_EQ(ranking(1, {1, 2, 3, 0}, known).not_numbers(), 0U);
}

TEST(KgeRankSums, AreReciprocalsAndHits) {
  RankSums sums;
  for (const double rank : {1.0, 1.5, 3.0, 10.0, 10.5}) sums.add(rank);
  EXPECT_DOUBLE_EQ(sums.reciprocal, 1.0 + 1 / 1.5 + 1 / 3.0 + 0.1 + 1 / 10.5);
  EXPECT_EQ(sums.hits_1, 1.0);
  EXPECT_EQ(sums.hits_3, 3.0);
  EXPECT_EQ(sums.hits_10, 4.0);
}

TEST(KgeKnownAnswers, AreThoseOfAllParts) {
  data::Triples triples;
  triples.train = {{0, 1, 5}, {0, 0, 3}, {4, 1, 5}};
  triples.valid = {{0, 1, 2}};
  triples.test = {{0, 1, 9}, {0, 1, 5}};
  const KnownAnswers known({triples.train, triples.valid, triples.test});
  std::vector<std::uint32_t> found;
  for (const Triple& triple : known.objects(0, 1)) found.push_back(triple.object);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{2, 5, 9}));
  found.clear();
  for (const Triple& triple : known.subjects(5, 1)) found.push_back(triple.object);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_TRUE(known.objects(1, 1).empty());
}

}  // namespace
}  // namespace pslab::kge
