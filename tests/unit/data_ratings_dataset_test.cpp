// The `dataset:` map: which combinations of options are one data set, and which are refused.
#include "data/ratings_dataset.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/yaml.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

/// A dataset from YAML text, with the text's values kept alive.
struct Given {
  explicit Given(const std::string& yaml)
      : value(config::parse_yaml(yaml, "test.yaml")),
        options(&value, "workload.dataset"),
        dataset(options) {
    options.finish();
  }

  config::Value value;
  config::Options options;
  RatingsDataset dataset;
};

std::string refused(const std::string& yaml) {
  return refusal([&] { const Given given(yaml); });
}

std::string file(const std::string& name) {
  return "'" + ratings_file(name) + "'";
}

TEST(RatingsDataset, IsTheGeneratorIfNothingIsGiven) {
  config::Options options(nullptr, "dataset");
  const RatingsDataset dataset(options);
  EXPECT_TRUE(
      has(dataset.describe(), {"generated matrix, 100000 x 10000, 1000000 cells, zipf 1.1"}));
}

TEST(RatingsDataset, GeneratesWhatTheOptionsSay) {
  const Given given(
      "{generator: zipf_matrix, rows: 40, cols: 30, cells: 200, test_share: 0.1, seed: 5}");
  const Ratings ratings = given.dataset.load(project_root());
  EXPECT_EQ(ratings.rows, 40U);
  EXPECT_EQ(ratings.train.size(), 180U);
  EXPECT_EQ(ratings.test.size(), 20U);
}

TEST(RatingsDataset, ReadsFilesAsTheOptionsSay) {
  const Given given("{train: " + file("duplicates.tsv") + ", test: " + file("test_with_leak.tsv") +
                    ", duplicates: mean}");
  const Ratings ratings = given.dataset.load(project_root());
  EXPECT_EQ(ratings.train.at(0).value, 3.0F);
  EXPECT_EQ(ratings.test.size(), 2U);
  EXPECT_TRUE(has(given.dataset.describe(), {"duplicates.tsv", "test_with_leak.tsv"}));

  const Given header("{train: " + file("header.csv") +
                     ", skip_lines: 1, delimiter: comma, format: text, test_share: 0}");
  EXPECT_EQ(header.dataset.load(project_root()).train.size(), 1U);

  const Given columns("{train: " + file("too_many_columns.tsv") +
                      ", extra_columns: ignore, test_share: 0}");
  EXPECT_EQ(columns.dataset.load(project_root()).train.size(), 2U);
}

TEST(RatingsDataset, KnowsTheSetsOfTheCatalog) {
  EXPECT_TRUE(has(Given("{name: movielens-small}").dataset.describe(), {"90,004", "10,000"}));
  EXPECT_EQ(refused("{name: movielens-smal}"),
            "test.yaml:1: workload.dataset.name: expected one of the data sets cooc-dict, "
            "gene-paper, insteval, movielens-small, seen the text 'movielens-smal'. Did you mean "
            "'movielens-small'?");
  EXPECT_TRUE(refused("{name: my.tsv}").ends_with("For a file of your own use train instead"));
}

TEST(RatingsDataset, RefusesTwoSourcesAtOnce) {
  EXPECT_TRUE(has(refused("{name: insteval, train: x.tsv}"), {"workload.dataset.train", "name"}));
  EXPECT_TRUE(
      has(refused("{generator: zipf_matrix, name: insteval}"), {"dataset.generator", "name"}));
  EXPECT_TRUE(
      has(refused("{generator: zipf_matrix, train: x.tsv}"), {"dataset.generator", "train"}));
  EXPECT_TRUE(has(refused("{generator: none}"), {"dataset.generator", "leaves no data"}));
}

TEST(RatingsDataset, RefusesOptionsThatWouldHaveNoEffect) {
  EXPECT_TRUE(has(refused("{train: x.tsv, rows: 7}"), {"dataset.rows", "no effect"}));
  EXPECT_TRUE(has(refused("{name: insteval, noise: 2}"), {"dataset.noise", "no effect"}));
  EXPECT_TRUE(has(refused("{test: x.tsv}"), {"dataset.test", "no effect"}));
  EXPECT_TRUE(has(refused("{name: insteval, skip_lines: 1}"), {"dataset.skip_lines", "no effect"}));
  EXPECT_TRUE(has(refused("{train: x.tsv, test: y.tsv, seed: 9}"), {"dataset.seed", "no effect"}));
  EXPECT_TRUE(has(refused("{name: insteval, test_share: 0.5}"), {"test_share", "no effect"}));
  EXPECT_TRUE(has(refused("{train: x.tsv, test_share: 0, seed: 9}"),
                  {"dataset.seed: has no effect with test_share: 0"}));
  for (const std::string option : {"delimiter: tab", "skip_lines: 1", "extra_columns: ignore"}) {
    EXPECT_TRUE(has(refused("{train: x, format: matrix_market, " + option + "}"),
                    {": has no effect with format: matrix_market; remove it, seen the "}));
  }
}

TEST(RatingsDataset, RefusesATestFileInAnotherFormat) {
  const auto loaded = [](const std::string& train, const std::string& test) {
    return refusal([&] {
      Given("{train: " + ratings_file(train) + ", test: " + ratings_file(test) + "}")
          .dataset.load("");
    });
  };
  EXPECT_TRUE(has(loaded("plain.tsv", "plain.mmc"),
                  {"plain.mmc: is a MatrixMarket file", "plain.tsv is not", "one format"}));
  EXPECT_TRUE(has(loaded("plain.mmc", "plain.tsv"),
                  {"plain.tsv: is not a MatrixMarket file", "plain.mmc is; "}));
}

TEST(RatingsDataset, RefusesAMatrixOfFarMoreRowsThanEntries) {
  const TempDirectory folder;
  const auto matrix = [&](const std::string& name, const std::string& sizes) {
    return folder.write(
        name, "%%MatrixMarket matrix coordinate real general\n" + sizes + " 2\n1 1 5\n2 2 4\n");
  };
  const auto load = [](const std::string& files) {
    return Given("{" + files + ", test_share: 0}").dataset.load("");
  };
  const std::string million = matrix("million.mmc", "1000000 2");
  EXPECT_EQ(load("train: " + million).rows, 1'000'000U);
  const std::string more = matrix("more.mmc", "2 1000001");
  EXPECT_TRUE(has(refusal([&] { load("train: " + more); }),
                  {"more.mmc: a matrix of 2 x 1000001 with 2 entries", "at most 1000000 are"}));
  EXPECT_TRUE(
      has(refusal([&] { Given("{train: " + million + ", test: " + more + "}").dataset.load(""); }),
          {"a matrix of 1000000 x 1000001 with 4 entries"}));
}

TEST(RatingsDataset, RefusesAMatrixThatIsMoreThanHalfFull) {
  EXPECT_TRUE(has(refused("{rows: 10, cols: 10, cells: 51}"), {"dataset.cells", "at most 50"}));
}

TEST(RatingsDataset, ReadsItsOwnResolvedOptionsToTheSameDataset) {
  for (const std::string yaml : {"{}", "{name: insteval}", "{train: x.tsv, test: y.tsv}",
                                 "{generator: zipf_matrix, rows: 20, cells: 100, zipf: 0.5}",
                                 "{train: x.tsv, test_share: 0.2, seed: 3, duplicates: mean}"}) {
    const Given given(yaml);
    const config::Value resolved = given.options.resolved();
    config::Options options(&resolved, "workload.dataset");
    const RatingsDataset again(options);
    EXPECT_EQ(again.describe(), given.dataset.describe()) << yaml;
    EXPECT_EQ(options.resolved(), resolved) << yaml;
  }
}

}  // namespace
}  // namespace pslab::data
