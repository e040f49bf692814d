// The knowledge-graph workload under every registered strategy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/golden/small_run.hpp"
#include "workloads/knowledge_graph/task.hpp"

namespace pslab::test {
namespace {

std::string graph(const std::string& options) {
  return "workload={name: knowledge_graph, dimension: 16, negatives: 4, dataset: {entities: 200, "
         "relations: 3, triples: 2000, classes: 10, noise: 0, test_share: 0.02}" +
         (options.empty() ? "" : ", " + options) + "};";
}

TEST(TheKnowledgeGraphWorkload, GetsFarBeyondChanceWithEveryModelAndLoss) {
  const double chance = 2.0 / 201.0;  // of a constant scorer
  for (const std::string model : {"complex", "distmult", "rescal"}) {
    for (const std::string loss : {"bce", "softmax"}) {
      const std::string result =
          run_small(graph("model: " + model + ", loss: " + loss) +
                    "cluster={nodes: 1, workers_per_node: 1};strategy.name=static;train.epochs=20");
      EXPECT_GT(number(result, "test_mrr"), 10 * chance) << model << loss << result;
      EXPECT_GT(number(result, "test_hits_at_10"), 4 * 0.05) << model << loss << result;
      EXPECT_GE(number(result, "test_mrr"), number(result, "test_mrr_raw")) << model << loss;
    }
  }
}

TEST(TheKnowledgeGraphWorkload, HasTheMeasuresOfChanceWhenAllScoresAreEqual) {
  const std::string result =
      run_small(graph("initial_range: 0, initial_accumulator: 1") + "strategy.name=static");
  EXPECT_DOUBLE_EQ(number(result, "test_mrr_raw"), 2.0 / 201.0) << result;
  EXPECT_EQ(number(result, "test_hits_at_10_raw"), 0.0);
  EXPECT_GT(number(result, "test_mrr"), number(result, "test_mrr_raw"));
}

TEST(TheKnowledgeGraphWorkload, LearnsUnderEveryStrategy) {
  for (std::string strategy : every_strategy()) {
    if (strategy == "strategy.name=full_replication") {
      // The simulated time of so small a task is over before the first of the usual rounds.
      strategy = "strategy={name: full_replication, sync_rate: 50000}";
    }
    const std::string result = run_small(graph("") + "train.epochs=4;" + strategy);
    EXPECT_GT(number(result, "test_mrr"), 0.05) << strategy << result;
  }
}

TEST(TheKnowledgeGraphWorkload, MakesTheSameNumberOfAccessesUnderEveryStrategy) {
  std::set<double> accesses;
  for (const std::string& strategy : every_strategy()) {
    accesses.insert(number(run_small(graph("") + strategy), "accesses"));
  }
  // 2 epochs of 1,960 training triples with 3 parts and 8 samples, each read and written.
  EXPECT_EQ(accesses, std::set<double>{2 * 1960 * (3 + 8) * 2});
}

TEST(TheKnowledgeGraphWorkload, GivesTheSameResultTwice) {
  for (const std::string& strategy : every_strategy()) {
    const std::string run = graph("") + "train.epochs=1;" + strategy;
    EXPECT_EQ(run_small(run), run_small(run)) << strategy;
  }
}

TEST(TheKnowledgeGraphWorkload, AnnouncesItsAccesses) {
  const auto local = [](const std::string& options) {
    const std::string result = run_small(graph(options) + "strategy.name=adaptive");
    return number(result, "local") / number(result, "accesses");
  };
  EXPECT_GT(local("announce_ahead: 200"), local("announce_ahead: 0") + 0.2);
}

TEST(TheKnowledgeGraphWorkload, HasNoTestMetricWithoutTestTriples) {
  const std::string result = run_small(
      "workload={name: knowledge_graph, dimension: 4, dataset: {entities: 50, triples: 300, "
      "classes: 5, test_share: 0}};strategy.name=static");
  EXPECT_THAT(result, testing::HasSubstr("train_loss"));
  EXPECT_THAT(result, testing::Not(testing::HasSubstr("test_")));
}

TEST(TheKnowledgeGraphWorkload, FailsTheRunWhenAScoreIsNoNumber) {
  const auto experiment = small_experiment(graph(""));
  std::vector<double> sums(kge::kSums, 1.0);
  sums[kge::kNotNumbers] = 0.0;
  EXPECT_NO_THROW(experiment->workload->epoch_metrics(sums, 1));
  sums[kge::kNotNumbers] = 1.0;
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
  sums[kge::kNotNumbers] = 0.0;
  sums[kge::kLoss] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
}

TEST(TheKnowledgeGraphWorkload, RefusesAnOddDimensionOfComplexNumbers) {
  EXPECT_THAT(run_small("workload={name: knowledge_graph, dimension: 3}"),
              testing::HasSubstr("workload.dimension: must be even for model: complex"));
}

}  // namespace
}  // namespace pslab::test
