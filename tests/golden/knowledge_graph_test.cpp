// The knowledge-graph workload under every registered strategy.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/temp_directory.hpp"
#include "workloads/knowledge_graph/metrics.hpp"

namespace pslab::test {
namespace {

std::string graph(const std::string& options) {
  return "workload={name: knowledge_graph, dimension: 16, negatives: 4, dataset: {entities: 200, "
         "relations: 3, triples: 2000, classes: 10, noise: 0, test_share: 0.02}" +
         (options.empty() ? "" : ", " + options) + "};";
}

TEST(TheKnowledgeGraphWorkload, GetsFarBeyondChanceWithEveryModelAndLoss) {
  const double chance = 2.0 / 201.0;  // of a constant scorer
  for (const std::string model :
       {"complex", "distmult", "rescal", "transe_l1", "transe_l2", "rotate"}) {
    // A translation cannot lead from every class to one of its own, as these relations do.
    const double times = model.starts_with("transe") ? 3 : 10;
    for (const std::string loss : {"bce", "softmax", "margin", "self_adversarial"}) {
      const std::string result =
          run_small(graph("model: " + model + ", loss: " + loss) +
                    "cluster={nodes: 1, workers_per_node: 1};strategy.name=static;train.epochs=20");
      EXPECT_GT(number(result, "test_mrr"), times * chance) << model << loss << result;
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

TEST(TheKnowledgeGraphWorkload, LearnsInBatchesThatShareNegatives) {
  const std::string one = "cluster={nodes: 1, workers_per_node: 1};strategy.name=static;";
  for (const std::string how :
       {"batch: 8", "batch: 8, share_negatives: true", "share_negatives: true",
        "batch: 8, dropout: 0.1", "n3: 0.01", "negative_power: 0.75", "relations: partitioned"}) {
    const std::string result = run_small(graph(how + ", loss: softmax") + one + "train.epochs=20");
    EXPECT_GT(number(result, "test_mrr"), 0.1) << how << result;
  }
}

TEST(TheKnowledgeGraphWorkload, ReadsTheSamplesOfABatchOnceWhenTheyAreShared) {
  // 2 epochs; 8 workers have 245 training triples each, 31 batches of up to 8.
  const std::string batches = "strategy.name=relocation;workload.batch=8;";
  EXPECT_EQ(number(run_small(graph("") + batches), "accesses"), 2 * 1960 * (3 + 8) * 2);
  EXPECT_EQ(number(run_small(graph("share_negatives: true") + batches), "accesses"),
            2 * (1960 * 3 + 8 * 31 * 4) * 2);
}

TEST(TheKnowledgeGraphWorkload, MakesNoRemoteAccessToRelationsThatArePartitioned) {
  // Where all entities are replicated, only accesses to relations can be remote.
  const TempDirectory folder;
  std::string entities;
  for (int entity = 0; entity < 200; ++entity) entities += fmt::format("entities:{}\n", entity);
  folder.write("entities", entities);
  const auto remote = [&](const std::string& relations) {
    const std::string result = run_small(graph("relations: " + relations) +
                                         "strategy={name: hybrid, sync_rate: 50000, rest: "
                                         "relocated, key_list: " +
                                         folder.path() + "/entities}");
    return number(result, "accesses") - number(result, "local");
  };
  EXPECT_GT(remote("shared"), 100);
  EXPECT_EQ(remote("partitioned"), 0);
}

TEST(TheKnowledgeGraphWorkload, KnowsHowOftenEachNodeAccessesEachKey) {
  for (const std::string relations : {"shared", "partitioned"}) {
    const auto experiment = small_experiment(graph("relations: " + relations));
    const auto& workload = *experiment->workload;
    const KeySpace keys = workload.keys();
    std::vector<float> sums(keys.size(), 0.0F);
    std::vector<int> nodes(keys.size(), 0);
    for (NodeId node = 0; node < experiment->cluster.nodes; ++node) {
      for (const KeyCount& count : workload.node_accesses(node)) {
        sums[count.key] += count.accesses;
        ++nodes[count.key];
      }
    }
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), 1960 * 3 * 2);
    const bool partitioned = relations == "partitioned";
    for (Key key = 0; key < keys.size(); ++key) {
      const bool left_out = partitioned && key >= keys.first(1);
      EXPECT_EQ(workload.direct_accesses()[key], left_out ? 0.0F : sums[key]) << key;
      if (left_out) {
        EXPECT_EQ(nodes[key], 1) << key;
      }
    }
  }
}

TEST(TheKnowledgeGraphWorkload, DrawsFrequentEntitiesMoreOftenWhenAsked) {
  const auto experiment = small_experiment(graph("negative_power: 0.5"));
  const auto& workload = *experiment->workload;
  const std::vector<float> direct = workload.direct_accesses();
  const std::vector<float> expected = workload.sample_accesses();
  EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 2.0 * 1960 * 8, 10.0);
  std::vector<int> drawn(200, 0);
  Random random(1, "draws");
  const auto draw = workload.sample_distribution();
  for (int i = 0; i < 200'000; ++i) ++drawn[draw(random)];
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double mean = 200'000 * double{expected[i]} / (2.0 * 1960 * 8);
    EXPECT_NEAR(drawn[i], mean, 6 * std::sqrt(mean)) << i;
    // Four times as many triples: drawn twice as often.
    EXPECT_NEAR(double{expected[i]} / expected[0], std::sqrt(std::max(direct[i], 2.0F) / direct[0]),
                1e-3);
  }
}

TEST(TheKnowledgeGraphWorkload, RanksTheSplitsThatAreAskedFor) {
  const TempDirectory folder;
  folder.write("train.del", "0\t0\t1\n1\t0\t2\n2\t0\t3\n3\t0\t0\n0\t0\t2\n");
  folder.write("valid.del", "1\t0\t3\n0\t0\t4\n");
  folder.write("test.del", "2\t0\t0\n4\t0\t1\n3\t1\t1\n");
  const auto result = [&](const std::string& evaluation) {
    return run_small(
        "workload={name: knowledge_graph, dimension: 4, initial_range: 0, "
        "initial_accumulator: 1, dataset: {folder: " +
        folder.path() + "}, evaluation: {" + evaluation + "}};strategy.name=static;train.epochs=1");
  };
  using testing::HasSubstr;
  using testing::Not;
  EXPECT_THAT(result("split: valid"), AllOf(HasSubstr("valid_mrr"), Not(HasSubstr("test_mrr"))));
  EXPECT_THAT(result("split: both"), AllOf(HasSubstr("valid_mrr"), HasSubstr("test_mrr")));
  // All scores are 0. Raw: 5 candidates, rank 3, and only the mean is that of chance.
  EXPECT_DOUBLE_EQ(number(result("ties: mean"), "test_mrr_raw"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(number(result("ties: worst"), "test_mrr_raw"), 1.0 / 5);
  EXPECT_DOUBLE_EQ(number(result("ties: best"), "test_mrr_raw"), 1.0);
  // Objects for (2, 0, ?): 3 is left out by train; for (0, 0, ?): 1 and 2 by train. Subjects for
  // (?, 0, 4): none; of three test triples two have an entity or a relation that is new.
  EXPECT_DOUBLE_EQ(number(result("unseen: drop"), "test_mrr_object"), 1 / 2.5);
  EXPECT_DOUBLE_EQ(number(result("unseen: rank_all"), "test_mrr_object"),
                   (1 / 2.5 + 1 / 3.0 + 1 / 3.0) / 3);
  EXPECT_DOUBLE_EQ(number(result("split: valid, unseen: drop"), "valid_mrr_object"), 1 / 2.5);
  // Subjects for (?, 0, 0): 3 is left out by train. For (?, 0, 3): 2.
  EXPECT_DOUBLE_EQ(number(result("unseen: drop"), "test_mrr_subject"), 1 / 2.5);
}

TEST(TheKnowledgeGraphWorkload, FiltersByTheSplitsThatAreNamed) {
  const TempDirectory folder;
  folder.write("train.del", "0\t0\t1\n2\t0\t3\n4\t0\t5\n");
  folder.write("valid.del", "0\t0\t2\n");
  folder.write("test.del", "0\t0\t3\n");
  const auto rank = [&](const std::string& evaluation, const std::string& split) {
    const std::string result = run_small(
        "workload={name: knowledge_graph, dimension: 4, initial_range: 0, initial_accumulator: 1, "
        "dataset: {folder: " +
        folder.path() + "}, evaluation: {split: both, ties: worst, " + evaluation +
        "}};strategy.name=static;train.epochs=1");
    return 1.0 / number(result, split + "_mrr_object");
  };
  // Of 6 candidates for (0, 0, ?), 1 is true in train, 2 in valid, 3 in test.
  EXPECT_NEAR(rank("filter: train_valid_test", "test"), 4.0, 1e-9);
  EXPECT_NEAR(rank("filter: train_valid", "test"), 4.0, 1e-9);
  EXPECT_NEAR(rank("filter: train", "test"), 5.0, 1e-9);
  EXPECT_NEAR(rank("filter: train_valid_test", "valid"), 4.0, 1e-9);
  EXPECT_NEAR(rank("filter: train_valid", "valid"), 5.0, 1e-9);
  EXPECT_NEAR(rank("filter: train", "valid"), 5.0, 1e-9);
}

TEST(TheKnowledgeGraphWorkload, RanksAfterSomeEpochsAndTheLast) {
  const auto ranked = [](const std::vector<run::EpochRecord>& epochs) {
    std::string text;
    for (const run::EpochRecord& epoch : epochs) {
      if (epoch.metrics.size() > 1) text += fmt::format("{} ", epoch.epoch);
    }
    return text;
  };
  EXPECT_EQ(
      run_small(graph("evaluation: {every: 3}") + "strategy.name=static;train.epochs=7", ranked),
      "3 6 7 ");
}

TEST(TheKnowledgeGraphWorkload, FailsSoonAfterAScoreIsInfinite) {
  for (const std::string loss : {"bce", "softmax", "margin", "self_adversarial"}) {
    const std::string result = run_small(graph("learning_rate: 1e15, loss: " + loss) +
                                         "strategy.name=static;train.epochs=1000000");
    EXPECT_THAT(result, testing::HasSubstr("epoch 1: the scores of a training triple and its "
                                           "negatives are infinite or no number: training "
                                           "diverged. Try a smaller workload.learning_rate"));
  }
}

TEST(TheKnowledgeGraphWorkload, FailsWhenTrainingDivergesWithFiniteScores) {
  EXPECT_THAT(run_small(graph("model: distmult, learning_rate: 1e6, loss: margin") +
                        "strategy.name=static;train.epochs=10"),
              testing::HasSubstr("training diverged. Try a smaller workload.learning_rate"));
}

TEST(TheKnowledgeGraphWorkload, FailsWhenAllEmbeddingsHaveVanished) {
  EXPECT_THAT(run_small(graph("l2: 10") + "strategy.name=static;train.epochs=10"),
              testing::HasSubstr("the embeddings have vanished. Try smaller workload.l2 (now 10)"));
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
  std::vector<double> sums(kge::number_of_sums(1), 1e9);
  sums[kge::kNotNumbers] = 0.0;
  sums[kge::kLoss] = 1.0;
  EXPECT_NO_THROW(experiment->workload->epoch_metrics(sums, 1));
  sums[kge::kNotNumbers] = 1.0;
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
  sums[kge::kNotNumbers] = 0.0;
  sums[kge::kLoss] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
}

TEST(TheKnowledgeGraphWorkload, WritesEmbeddingsUnderTheNamesOfTheDataSet) {
  const TempDirectory folder;
  folder.write("train.txt", "rome\tin\titaly\nparis\tin\tfrance\nitaly\tnear\tfrance\n");
  const auto experiment = small_experiment(
      "workload={name: knowledge_graph, model: rescal, dimension: 2, dataset: {folder: " +
      folder.path() + "}}");
  const auto& workload = *experiment->workload;
  const auto read = [&](Key key, std::span<float> value) {
    for (float& x : value) x = static_cast<float>(key) + 0.5F;
  };
  EXPECT_EQ(workload.model_formats(), (std::vector<std::string>{"tsv", "npy"}));
  EXPECT_EQ(workload.write_model("tsv", folder.path(), read),
            (std::vector<std::string>{"entities.tsv", "relations.tsv"}));
  EXPECT_EQ(
      workload.write_model("npy", folder.path(), read),
      (std::vector<std::string>{"entities.npy", "entities.txt", "relations.npy", "relations.txt"}));
  EXPECT_EQ(folder.read("entities.txt"), "rome\nitaly\nparis\nfrance\n");
  EXPECT_EQ(folder.read("relations.txt"), "in\nnear\n");
  EXPECT_THAT(folder.read("relations.npy"), testing::HasSubstr("'shape': (2, 2, 2, )"));
  // Each entity has a key of its own, and two numbers; a relation is a matrix of four.
  std::istringstream lines(folder.read("entities.tsv"));
  std::set<float> keys;
  std::string name;
  for (float x = 0, y = 0; lines >> name >> x >> y;) {
    EXPECT_EQ(x, y);
    keys.insert(x);
  }
  EXPECT_EQ(keys, (std::set<float>{0.5F, 1.5F, 2.5F, 3.5F}));
  EXPECT_THAT(folder.read("relations.tsv"),
              testing::AllOf(testing::HasSubstr("\t4.5\t4.5\t4.5\t4.5\n"),
                             testing::HasSubstr("\t5.5\t5.5\t5.5\t5.5\n")));
}

TEST(TheKnowledgeGraphWorkload, SaysWhatItMetInTheData) {
  const auto experiment = small_experiment(
      "workload={name: knowledge_graph, dataset: {entities: 20, triples: 6, classes: 2, "
      "test_share: 0}}");
  EXPECT_THAT(
      experiment->workload->data_report(),
      testing::AllOf(testing::Contains("2 of 8 workers have no training triples"),
                     testing::Contains("there are no test triples to rank: no test metrics")));
  const TempDirectory folder;
  folder.write("train.txt", "a\tr\ta\n");
  EXPECT_THROW(small_experiment(
                   "workload={name: knowledge_graph, dataset: {folder: " + folder.path() + "}}"),
               InputError);
}

TEST(TheKnowledgeGraphWorkload, StartsMatricesAsReflectionsWhenAsked) {
  const auto experiment = small_experiment(
      graph("model: rescal, relation_initial: reflection, initial_accumulator: 0.5"));
  const auto& workload = *experiment->workload;
  const Key first = workload.keys().first(1);
  int positive = 0;
  for (Key key = first; key < first + 3; ++key) {
    std::vector<float> value(std::size_t{2} * 16 * 16);
    workload.initial_value(key, value);
    for (std::size_t i = 0; i < 16 * 16; ++i) {
      EXPECT_EQ(std::fabs(value[i]), i / 16 == i % 16 ? 1.0F : 0.0F);
      EXPECT_EQ(value[16 * 16 + i], 0.5F);
      positive += value[i] > 0.0F ? 1 : 0;
    }
  }
  EXPECT_NEAR(positive, 24, 5 * std::sqrt(48 / 4.0));
  std::vector<float> entity(std::size_t{2} * 16);
  workload.initial_value(0, entity);
  EXPECT_LE(std::fabs(entity[1]), 0.1F);
}

TEST(TheKnowledgeGraphWorkload, TrainsRelationsByTheirOwnMultiplesOfTheOptions) {
  const auto loss = [](const std::string& options) {
    return number(run_small(graph(options + ", loss: margin") + "strategy.name=static"),
                  "train_loss");
  };
  for (const std::string penalty : {"l2: 1e-6", "n3: 1e-6"}) {
    EXPECT_NE(loss("model: rescal, " + penalty),
              loss("model: rescal, relation_penalty: 1e6, " + penalty));
  }
  // As many components of a relation are dropped as of an entity, or none.
  const std::string dropout = "model: distmult, dropout: 0.5";
  EXPECT_EQ(loss(dropout), loss(dropout + ", relation_dropout: 1"));
  EXPECT_NE(loss(dropout), loss(dropout + ", relation_dropout: 0"));
}

TEST(TheKnowledgeGraphWorkload, RefusesOptionsOfRelationsThatMakeNoSense) {
  EXPECT_THAT(run_small(graph("relation_initial: reflection")),
              testing::HasSubstr("workload.relation_initial: must be random unless model: rescal"));
  EXPECT_THAT(run_small(graph("dropout: 0.5, relation_dropout: 2")),
              testing::HasSubstr("workload.relation_dropout: times dropout (0.5) must be at most"));
}

TEST(TheKnowledgeGraphWorkload, RefusesOptionsThatOthersLeaveWithoutEffect) {
  const auto refused = [](const std::string& options, const std::string& message) {
    EXPECT_THAT(run_small(graph(options)), testing::HasSubstr("workload." + message));
  };
  refused("margin: 2", "margin: has no effect with loss: bce; remove it");
  refused("loss: softmax, margin: 2", "margin: has no effect with loss: softmax");
  refused("loss: margin, temperature: 2", "temperature: has no effect with loss: margin");
  refused("relation_dropout: 0", "relation_dropout: has no effect without dropout");
  refused("relation_penalty: 0", "relation_penalty: has no effect without l2 and n3");
  refused("model: rotate, l2: 1e-6, relation_penalty: 2",
          "relation_penalty: has no effect with model: rotate");
  refused("model: rescal, l2: 1e-6, relation_learning_rate: 0, relation_penalty: 1e6",
          "relation_penalty: has no effect with relation_learning_rate: 0");
}

TEST(TheKnowledgeGraphWorkload, RefusesToRankValidationTriplesThatAreNotThere) {
  const std::string result = run_small(graph("evaluation: {split: both}"));
  EXPECT_THAT(result, testing::HasSubstr("split: there are no validation triples to rank, seen "
                                         "both. Set test, or give data with a valid file"));
}

TEST(TheKnowledgeGraphWorkload, TakesAnOptionWithoutEffectAtItsDefault) {
  const auto result = [](const std::string& options) {
    return run_small(graph(options) + "strategy.name=static");
  };
  EXPECT_EQ(result("model: distmult, margin: 1, relation_penalty: 1"), result("model: distmult"));
}

TEST(TheKnowledgeGraphWorkload, RefusesAnOddDimensionOfComplexNumbers) {
  EXPECT_THAT(run_small("workload={name: knowledge_graph, dimension: 3}"),
              testing::HasSubstr("workload.dimension: must be even for model: complex"));
}

}  // namespace
}  // namespace pslab::test
