// Matrix factorization: biases, what a checkpoint keeps of it, and its model as files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/temp_directory.hpp"

namespace pslab::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSize = 20;

/// Row r has cells in the columns 0 to r, of value r / 2 - c / 4: nothing but biases. Ids are
/// names.
fs::path additive_ratings(const TempDirectory& folder) {
  std::string text;
  for (std::size_t row = 0; row < kSize; ++row) {
    for (std::size_t col = 0; col <= row; ++col) {
      text += fmt::format("r{}\tc{}\t{}\n", row, col,
                          static_cast<double>(row) / 2 - static_cast<double>(col) / 4);
    }
  }
  return folder.write("ratings.tsv", text);
}

std::string training_on(const fs::path& file, const std::string& options) {
  return fmt::format(
      "workload={{name: matrix_factorization, rank: 4, l2: 0.001, dataset: {{train: {}}}, "
      "{}}};",
      file.string(), options);
}

TEST(Biases, AloneLearnWhatIsASumOfRowAndColumn) {
  const TempDirectory folder;
  const fs::path file = additive_ratings(folder);
  for (const std::string schedule : {"column_wise", "plain", "dsgd"}) {
    const std::string result = run_small(
        training_on(file,
                    "biases: true, initial_deviation: 0, step_size: 0.05, schedule: " + schedule) +
        "workload.dataset.test_share=0.1;"
        "cluster={nodes: 2, workers_per_node: 2};strategy.name=relocation;train.epochs=100");
    EXPECT_LT(number(result, "test_rmse"), 0.1) << schedule << result;
  }
}

TEST(Biases, LearnUnderEveryStrategy) {
  const TempDirectory folder;
  const std::string training =
      training_on(additive_ratings(folder), "biases: true, initial_deviation: 0, step_size: 0.05");
  for (std::string strategy : every_strategy()) {
    if (strategy == "strategy.name=full_replication") {
      // The simulated time of so small a task is over before the first of the usual rounds.
      strategy = "strategy={name: full_replication, sync_rate: 50000}";
    }
    const std::string result = run_small(training + "train.epochs=40;" + strategy);
    EXPECT_LT(number(result, "train_loss"), 0.1) << strategy << result;  // at first 4.4
  }
}

TEST(MatrixFactorization, RefusesFactorsThatWouldStayZero) {
  EXPECT_THAT(run_small("workload.initial_deviation=0"),
              testing::HasSubstr("workload.initial_deviation: must be above 0 without biases"));
}

TEST(MatrixFactorization, RefusesOptionsThatTheScheduleLeavesWithoutEffect) {
  EXPECT_THAT(run_small("workload.tile_rows=9"),
              testing::HasSubstr("workload.tile_rows: has no effect without schedule: dsgd"));
  EXPECT_THAT(run_small("workload.schedule=dsgd;workload.localize_ahead=9"),
              testing::HasSubstr("workload.localize_ahead: must be -1 or 0 with schedule: dsgd"));
  EXPECT_THAT(run_small("workload.schedule=dsgd;workload.localize_ahead=0;workload.tile_rows=9"),
              testing::HasSubstr("test_rmse"));
}

TEST(MatrixFactorization, GoesOnFromItsStateAsIfItHadNotStopped) {
  const auto going_on = small_experiment("");
  const std::vector<double> better = {1000.0, 1.0};
  const std::vector<double> worse = {2000.0, 1.0};
  going_on->workload->epoch_metrics(better, 1);
  const auto made_anew = small_experiment("");
  EXPECT_NE(made_anew->workload->state(), going_on->workload->state());
  made_anew->workload->restore(going_on->workload->state());
  for (const auto& experiment : {going_on.get(), made_anew.get()}) {
    experiment->workload->epoch_metrics(worse, 2);  // halves the step size
    experiment->workload->epoch_metrics(better, 3);
  }
  EXPECT_EQ(made_anew->workload->state(), going_on->workload->state());
  EXPECT_FLOAT_EQ(static_cast<float>(made_anew->workload->state().at(0)), 0.01F * 0.5F * 1.05F);
  EXPECT_THROW(made_anew->workload->restore(std::vector<double>{1.0}), InputError);
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The rows of an array file.
std::vector<std::vector<double>> matrix_of(const fs::path& path) {
  const std::vector<std::string> lines = lines_of(path);
  EXPECT_EQ(lines.at(0), "%%MatrixMarket matrix array real general") << path;
  std::istringstream sizes(lines.at(1));
  std::size_t rows = 0;
  std::size_t cols = 0;
  sizes >> rows >> cols;
  EXPECT_EQ(lines.size(), 2 + rows * cols) << path;
  std::vector<std::vector<double>> matrix(rows, std::vector<double>(cols));
  for (std::size_t i = 0; i < rows * cols; ++i) {
    matrix[i % rows][i / rows] = std::stod(lines.at(2 + i));
  }
  return matrix;
}

/// The value of a key in the tests below: tells which key and component it is.
void read_code(Key key, std::span<float> value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    value[i] = static_cast<float>(key) + 0.125F * static_cast<float>(i);
  }
}

class TheModelOfMatrixFactorization : public testing::Test {
 protected:
  std::vector<std::string> write(const std::string& overrides) {
    experiment_ = small_experiment(overrides);
    const Workload& workload = *experiment_->workload;
    EXPECT_THAT(workload.model_formats(), testing::ElementsAre("matrix_market"));
    return workload.write_model("matrix_market", folder_.path(), read_code);
  }
  std::vector<std::vector<double>> matrix(const std::string& name) {
    return matrix_of(folder_.path() + "/" + name);
  }

  TempDirectory folder_;
  std::unique_ptr<run::Experiment> experiment_;
};

// Which key is that of row r or column c is known by the number of its accesses.
TEST_F(TheModelOfMatrixFactorization, IsInTheOrderOfTheDataSet) {
  EXPECT_THAT(write(training_on(additive_ratings(folder_), "biases: true, localize_rows: false") +
                    "workload.dataset.test_share=0"),
              testing::ElementsAre("W.mma", "H.mma", "row_biases.mma", "column_biases.mma",
                                   "mean.mma", "row_ids.txt", "column_ids.txt"));
  const auto w = matrix("W.mma");
  const auto h = matrix("H.mma");
  const auto row_biases = matrix("row_biases.mma");
  const auto column_biases = matrix("column_biases.mma");
  ASSERT_EQ(w.size(), kSize);
  ASSERT_EQ(h.size(), 4U);
  const std::vector<float> accesses = experiment_->workload->direct_accesses();
  bool shuffled = false;
  for (std::size_t i = 0; i < kSize; ++i) {
    const auto row = static_cast<std::size_t>(w.at(i).at(0));
    const auto col = static_cast<std::size_t>(h.at(0).at(i));
    EXPECT_EQ(accesses.at(row), 2.0F * static_cast<float>(i + 1));
    EXPECT_EQ(accesses.at(col), 2.0F * static_cast<float>(kSize - i));
    shuffled = shuffled || row != i;
    for (std::size_t k = 0; k < 4; ++k) {
      const double component = 0.125 * static_cast<double>(k);
      EXPECT_EQ(w.at(i).at(k), static_cast<double>(row) + component);
      EXPECT_EQ(h.at(k).at(i), static_cast<double>(col) + component);
    }
    EXPECT_EQ(row_biases.at(i), std::vector<double>{static_cast<double>(row) + 0.5});
    EXPECT_EQ(column_biases.at(i), std::vector<double>{static_cast<double>(col) + 0.5});
  }
  EXPECT_TRUE(shuffled);
  EXPECT_NEAR(matrix("mean.mma").at(0).at(0), 4.75, 1e-5);
  EXPECT_EQ(lines_of(folder_.path() + "/row_ids.txt").at(7), "r7");
  EXPECT_EQ(lines_of(folder_.path() + "/column_ids.txt").size(), kSize);
}

TEST_F(TheModelOfMatrixFactorization, HasOnlyTheFilesThatTheOptionsGive) {
  EXPECT_THAT(write("workload.center=false;workload.shuffle_ids=false"),
              testing::ElementsAre("W.mma", "H.mma"));
  const auto w = matrix("W.mma");
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_EQ(w[i].at(0), static_cast<double>(i));
}

}  // namespace
}  // namespace pslab::test
