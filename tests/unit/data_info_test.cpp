// What is told of data: counts, skew, what was skipped or merged.
#include "data/info.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/text.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::string text_of(const Info& info) {
  return join(data::text_of(info.description.value()), "\n");
}

double count(const Info& info, const std::string& name) {
  const auto& counts = info.description.value().counts;
  return std::map<std::string, double>(counts.begin(), counts.end()).at(name);
}

TEST(Info, DescribesAFileOfRatings) {
  const Info ratings = info(ratings_file("duplicates.tsv"));
  EXPECT_EQ(ratings.description.value().kind, "ratings");
  EXPECT_TRUE(has(text_of(ratings), {"2 rows x 1 column, 2 training and 0 test cells, 100 % filled",
                                     "values: 6 to 9, mean 7.5, standard deviation 1.5",
                                     "2 records kept, 2 duplicates merged, 1 blank line"}));
}

TEST(Info, DescribesAFolderOfTriples) {
  const TempDirectory folder;
  folder.write("train.txt", "a\tr\tb\na\tr\tc\na\tr\tb\n\n");
  folder.write("test.txt", "b\tr\tc\na\tr\tb\nd\tr\ta\n");
  const Info graph = info(folder.path());
  EXPECT_EQ(graph.description.value().kind, "graph");
  EXPECT_EQ(count(graph, "entities"), 4);
  EXPECT_EQ(count(graph, "train"), 2);
  EXPECT_EQ(count(graph, "test_unseen"), 1);
  EXPECT_EQ(count(graph, "leaked"), 1);
  EXPECT_TRUE(has(
      text_of(graph),
      {"the top 0.1 / 1 / 10 % of the entities get 50.0 / 50.0 / 50.0 %",
       "samples: the top 0.1 / 1 / 10 % of the entities get 25.0", "1 blank lines, 1 duplicates"}));
}

TEST(Info, DescribesTextInAFileAndInShards) {
  const TempDirectory folder;
  std::string text;
  for (int i = 0; i < 16; ++i) text += "the cat\n";
  folder.write("shards/b", text + "rare\n");
  folder.write("shards/a", text + "the\n\n");
  for (const std::string path : {"/shards", "/shards/a"}) {
    const Info corpus = info(folder.path() + path);
    EXPECT_EQ(corpus.description.value().kind, "text");
    EXPECT_EQ(count(corpus, "vocabulary"), 2);
    EXPECT_EQ(count(corpus, "words"), path == "/shards" ? 65 : 33);
    // 16 and 17 accesses, or twice as many and one; samples are flatter.
    EXPECT_TRUE(has(text_of(corpus), {"accesses: the top", "samples: the top"}));
    const auto& accesses = corpus.description.value().accesses;
    EXPECT_GT(top_share(accesses.at(0).accesses, 0.0), top_share(accesses.at(1).accesses, 0.0));
  }
}

TEST(Info, IsToldWhatAFileHolds) {
  const TempDirectory folder;
  const std::string path = folder.write("numbers", "1 2 3\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n");
  EXPECT_EQ(info(path).description.value().kind, "ratings");
  EXPECT_EQ(info(path, "text").description.value().kind, "text");
  EXPECT_TRUE(info(path, "text").assumed.empty());
  EXPECT_TRUE(
      has(refusal([&] { info(path, "graph"); }), {"numbers:1: 1 column separated by tabs"}));
  EXPECT_TRUE(has(refusal([&] { info("insteval", "text"); }), {"is a data set", "--kind"}));
}

TEST(Info, GuessesWhatAFileHoldsAndSaysSo) {
  const TempDirectory folder;
  const auto guessed = [&](const std::string& name, const std::string& text) {
    const Info about = info(folder.write(name, text), "", {});
    EXPECT_TRUE(has(about.assumed, {"read as " + about.description.value().kind, "--kind"}));
    return about.description.value().kind;
  };
  EXPECT_EQ(guessed("names.txt", "a\tr\tb\nb\tr\ta\n"), "graph");
  EXPECT_EQ(guessed("numbered_names.txt", "00260881\t_hypernym\t00260622\n"), "graph");
  EXPECT_EQ(guessed("ids.del", "0\t0\t1\n"), "graph");
  EXPECT_EQ(guessed("ids.txt", "0\t0\t1\n"), "ratings");
  EXPECT_EQ(guessed("matrix", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n"),
            "ratings");
  EXPECT_TRUE(has(refusal([&] { info(folder.write("matrix.mtx", "a b c\n")); }),
                  {"the value 'c' is not a number", "its name is that of a MatrixMarket file"}));
  std::string text = "Chapter 1\nit was 1984\n";
  for (int i = 0; i < 5; ++i) text += "some words\n";
  EXPECT_EQ(guessed("text", text), "text");
}

TEST(Info, ReadsAFolderOfMatrixMarketFilesAsRatings) {
  const TempDirectory folder;
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  folder.write("all.mtx", banner + "2 2 2\n1 1 5\n2 2 4\n");
  EXPECT_EQ(count(info(folder.path()), "train"), 2);
  folder.write("test.mmc", banner + "2 2 1\n1 2 3\n");
  EXPECT_TRUE(has(refusal([&] { info(folder.path()); }), {"all.mtx, ", "test.mmc", "test=FILE"}));
  std::filesystem::rename(folder.path() + "/all.mtx", folder.path() + "/train.mtx");
  const Info both = info(folder.path());
  EXPECT_TRUE(has(both.assumed, {"read as ratings, because it has train.mtx"}));
  EXPECT_EQ(count(both, "train"), 2);
  EXPECT_EQ(count(both, "test"), 1);
  EXPECT_EQ(count(info(folder.path(), "ratings"), "test"), 1);
}

TEST(Info, TakesNoFolderOfTriplesOrRatingsForText) {
  for (const std::string line : {"a\tr\tb\n", "7\t8\t5.0\n"}) {
    const TempDirectory folder;
    folder.write("facts.txt", line + line + line + line + line);
    EXPECT_TRUE(has(refusal([&] { info(folder.path()); }),
                    {"facts.txt in it looks like ", "Name that file; or give --kind text"}));
    EXPECT_EQ(info(folder.path(), "text").description.value().kind, "text");
  }
}

TEST(Info, ReadsFilesAsTheOptionsOfADatasetSay) {
  const TempDirectory folder;
  const std::string ratings = folder.write("r.csv", "user,item,score,time\n1,2,3.5,9\n1,3,4,8\n");
  EXPECT_TRUE(has(refusal([&] { info(ratings); }),
                  {"r.csv:1: 4 columns", "It was read as ratings", "--kind graph or text",
                   "follow the path as NAME=VALUE", "skip_lines=1"}));
  const Info read = info(ratings, "", {"skip_lines=1", "extra_columns=ignore"});
  EXPECT_EQ(count(read, "train"), 2);
  EXPECT_EQ(
      count(info(ratings, "", {"skip_lines=1", "extra_columns=ignore", "test_share=0.5"}), "test"),
      1);
  EXPECT_TRUE(has(refusal([&] { info(ratings, "", {"skip=1"}); }), {"mean 'skip_lines'"}));
  EXPECT_TRUE(has(refusal([&] { info(ratings, "", {"train=x"}); }), {"train is given twice"}));

  const std::string text = folder.write("text", "one two two\n");
  EXPECT_TRUE(has(refusal([&] { info(text); }), {"Lower min_count", "text min_count=1"}));
  EXPECT_EQ(count(info(text, "", {"min_count=1"}), "vocabulary"), 2);

  EXPECT_TRUE(
      has(refusal([&] { info("insteval", "", {"min_count=1"}); }), {"leave 'min_count=1'"}));
}

TEST(Info, NamesTheNearestSetForAnUnknownOne) {
  EXPECT_TRUE(has(refusal([] { info("movielens-smal"); }),
                  {"'movielens-smal' is neither a file, nor a folder, nor a data set. Did you mean "
                   "'movielens-small'? Data sets: cooc-dict, "}));
}

TEST(RankCurve, HasFewerPointsTheHigherTheRankAndEndsWithTheLast) {
  const std::vector<RankShare> curve = rank_curve({1, 0, 5, 4});
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[0].rank, 1U);
  EXPECT_DOUBLE_EQ(curve[0].share, 0.5);
  EXPECT_EQ(curve[2].rank, 3U);
  EXPECT_DOUBLE_EQ(curve[2].share, 0.1);
  const std::vector<RankShare> longer = rank_curve(std::vector<double>(100'000, 1));
  EXPECT_LT(longer.size(), 250U);
  EXPECT_EQ(longer.back().rank, 100'000U);
  EXPECT_TRUE(rank_curve({0, 0}).empty());
}

}  // namespace
}  // namespace pslab::data
