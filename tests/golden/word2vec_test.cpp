// The word2vec workload under every registered strategy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/temp_directory.hpp"
#include "workloads/word2vec/task.hpp"

namespace pslab::test {
namespace {

std::string text(const std::string& options, const std::string& alpha = "0.05",
                 int sentences = 150) {
  return "workload={name: word2vec, dimension: 16, negatives: 3, subsample: 0, alpha: " + alpha +
         ", dataset: {topics: 4, items: 4, sentences: " + std::to_string(sentences) + "}" +
         (options.empty() ? "" : ", " + options) + "};";
}

TEST(TheWord2vecWorkload, FindsThePlantedAnalogiesAndSimilarities) {
  // By chance, an analogy is right once in 1,900 times, and Spearman's correlation is 0.
  const std::string result = run_small(
      "workload={name: word2vec, dimension: 32, alpha: 0.05, dataset: {generator: "
      "planted_corpus}};cluster={nodes: 1, workers_per_node: 2};strategy.name=static;"
      "train.epochs=5");
  EXPECT_GT(number(result, "test_analogies"), 0.7) << result;
  EXPECT_GT(number(result, "test_spearman"), 0.85) << result;
}

TEST(TheWord2vecWorkload, LearnsWithEveryModelAndBatch) {
  for (const std::string options : {"model: skip_gram, batch: centre", "model: cbow, alpha: 0.1",
                                    "model: cbow, cbow_update: share, alpha: 0.5"}) {
    const std::string result = run_small(
        "workload={name: word2vec, dimension: 16, dataset: {topics: 10, items: 5, sentences: "
        "8000}, " +
        options +
        "};cluster={nodes: 1, workers_per_node: 1};strategy.name=static;"
        "train.epochs=4");
    EXPECT_GT(number(result, "test_analogies"), 0.4) << options << result;
    EXPECT_GT(number(result, "test_spearman"), 0.6) << options << result;
  }
}

TEST(TheWord2vecWorkload, LearnsUnderEveryStrategy) {
  const double untrained =
      number(run_small(text("", "1e-9") + "strategy.name=static"), "train_loss");
  for (std::string strategy : every_strategy()) {
    if (strategy == "strategy.name=full_replication") {
      // The simulated time of so small a task is over before the first of the usual rounds.
      strategy = "strategy={name: full_replication, sync_rate: 50000}";
    }
    const std::string result = run_small(text("", "0.05", 600) + "train.epochs=4;" + strategy);
    EXPECT_LT(number(result, "train_loss"), 0.9 * untrained) << strategy << result;
    EXPECT_GT(number(result, "test_spearman"), 0.2) << strategy << result;
  }
}

TEST(TheWord2vecWorkload, MakesTheSameNumberOfAccessesUnderEveryStrategy) {
  std::set<double> accesses;
  for (const std::string& strategy : every_strategy()) {
    accesses.insert(number(run_small(text("") + strategy), "accesses"));
  }
  EXPECT_EQ(accesses.size(), 1U);
}

TEST(TheWord2vecWorkload, GivesTheSameResultTwice) {
  for (const std::string& strategy : every_strategy()) {
    const std::string run = text("") + "train.epochs=1;" + strategy;
    EXPECT_EQ(run_small(run), run_small(run)) << strategy;
  }
}

TEST(TheWord2vecWorkload, AnnouncesItsAccesses) {
  const auto local = [](const std::string& options) {
    const std::string result = run_small(text(options) + "strategy.name=adaptive");
    return number(result, "local") / number(result, "accesses");
  };
  EXPECT_GT(local("announce_ahead: 20"), local("announce_ahead: 0") + 0.1);
}

TEST(TheWord2vecWorkload, HasTheMeasuresOfChanceBeforeItHasLearnt) {
  const std::string result = run_small(text("", "1e-9") + "strategy.name=static");
  EXPECT_LT(number(result, "test_analogies"), 0.05) << result;
  EXPECT_NEAR(number(result, "test_spearman"), 0.0, 0.15) << result;
  // A word and 3 samples with a score of 0 each, but for samples that are the word itself.
  EXPECT_NEAR(number(result, "train_loss"), 4.0 * 0.6931, 0.1) << result;
}

TEST(TheWord2vecWorkload, FailsTheRunWhenTrainingDiverges) {
  const std::string result = run_small(
      text("model: cbow", "10") + "strategy.name=static;cluster={nodes: 1, workers_per_node: 1}");
  EXPECT_THAT(result, testing::HasSubstr("epoch 1: a score is no finite number"));
  EXPECT_THAT(result, testing::HasSubstr("smaller workload.alpha (now 10)"));
}

TEST(TheWord2vecWorkload, FailsTheRunWhenAnAnswerIsNoNumber) {
  const auto experiment = small_experiment(text(""));
  std::vector<double> sums(word2vec::kSections + 3, 1.0);
  sums[word2vec::kNotNumbers] = 0.0;
  EXPECT_NO_THROW(experiment->workload->epoch_metrics(sums, 1));
  sums[word2vec::kNotNumbers] = 1.0;
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
  sums[word2vec::kNotNumbers] = 0.0;
  sums[word2vec::kLoss] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(experiment->workload->epoch_metrics(sums, 1), RunError);
}

TEST(TheWord2vecWorkload, WritesInputVectorsMostFrequentWordsFirst) {
  const auto experiment = small_experiment(
      "workload={name: word2vec, dimension: 2, dataset: {min_count: 1, file: " +
      std::string(PSLAB_SOURCE_DIR) + "/tests/data/corpus/plain.txt}};strategy.name=static");
  Workload& workload = *experiment->workload;
  EXPECT_EQ(workload.model_formats(),
            (std::vector<std::string>{"word2vec_text", "word2vec_binary"}));
  const Key first_output = workload.keys().first(1);
  const auto read = [&](Key key, std::span<float> value) {
    EXPECT_LT(key, first_output);
    workload.initial_value(key, value);
  };
  const TempDirectory folder;
  const std::string in = folder.path() + "/";
  EXPECT_EQ(workload.write_model("word2vec_text", in, read),
            std::vector<std::string>{"vectors.txt"});
  EXPECT_EQ(workload.write_model("word2vec_binary", in, read),
            std::vector<std::string>{"vectors.bin"});
  std::ifstream text(in + "vectors.txt");
  std::vector<std::string> words;
  for (std::string line; std::getline(text, line);) words.push_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(words, (std::vector<std::string>{"5", "the", "cat", "sat", "dog", "ran"}));
  EXPECT_EQ(std::filesystem::file_size(in + "vectors.bin"),
            std::string("5 2\n").size() + 5 * (std::string("the \n").size() + 2 * sizeof(float)));
}

TEST(TheWord2vecWorkload, ReadsTextAndQuestionsFromFiles) {
  const std::string folder = std::string(PSLAB_SOURCE_DIR) + "/tests/data/corpus/";
  const std::string result = run_small(
      "workload={name: word2vec, dimension: 4, dataset: {file: " + folder +
      "plain.txt, min_count: 1}, evaluation: {analogies: " + folder +
      "questions.txt, similarities: " + folder + "similarities.tsv}};strategy.name=static");
  EXPECT_THAT(result, testing::HasSubstr("test_analogies_animals"));
  EXPECT_THAT(result, testing::HasSubstr("test_spearman "));
  EXPECT_THAT(result,
              testing::HasSubstr("train_loss undefined"));  // no word is left of its sentence
  const std::string alone =
      run_small("workload={name: word2vec, dimension: 4, dataset: {file: " + folder +
                "plain.txt, min_count: 1}};strategy.name=static");
  EXPECT_THAT(alone, testing::Not(testing::HasSubstr("test_")));
}

TEST(TheWord2vecWorkload, RefusesOptionsThatOthersLeaveWithoutEffect) {
  const auto refused = [](const std::string& options, const std::string& message) {
    EXPECT_THAT(run_small("workload={name: word2vec, " + options + "}"),
                testing::HasSubstr("workload." + message));
  };
  refused("cbow_update: share", "cbow_update: has no effect with model: skip_gram; remove it");
  refused("model: cbow, batch: centre", "batch: has no effect with model: cbow; remove it");
  const std::string file = std::string(PSLAB_SOURCE_DIR) + "/tests/data/corpus/";
  const std::string text = "dataset: {file: " + file + "plain.txt, min_count: 1}, evaluation: ";
  refused(text + "{words: 9}",
          "evaluation.words: has no effect without analogies and similarities");
  refused(text + "{semantic_sections: 1, similarities: " + file + "similarities.tsv}",
          "evaluation.semantic_sections: has no effect without analogies");
  EXPECT_THAT(
      run_small("workload={name: word2vec, dimension: 4, " + text +
                "{words: 9, similarities: " + file + "similarities.tsv}};strategy.name=static"),
      testing::HasSubstr("test_spearman"));
}

}  // namespace
}  // namespace pslab::test
