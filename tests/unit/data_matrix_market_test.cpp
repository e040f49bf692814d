// MatrixMarket files: what is read, what is refused and why, and writing.
#include "data/matrix_market.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "data/ratings_reader.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::string refused(const std::string& name) {
  return refusal([&] { read_matrix_market(ratings_file(name)); });
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MatrixMarket, ReadsEntriesAsZeroBasedCellsAndSkipsComments) {
  const MatrixFile file = read_matrix_market(ratings_file("plain.mmc"));
  EXPECT_EQ(file.rows, 2U);
  EXPECT_EQ(file.cols, 3U);
  ASSERT_EQ(file.cells.size(), 3U);
  EXPECT_EQ(file.cells[1].row, 0U);
  EXPECT_EQ(file.cells[1].col, 1U);
  EXPECT_EQ(file.cells[1].value, -2.0F);
  EXPECT_EQ(file.report.blank, 1U);
  EXPECT_EQ(file.lines.line(2), 7U);
}

TEST(MatrixMarket, ReadsIntegersAndABannerInAnyCase) {
  const MatrixFile file = read_matrix_market(ratings_file("integer.mmc"));
  EXPECT_EQ(file.cells.at(1).value, 5.0F);
  EXPECT_TRUE(has(refused("integer_with_fraction.mmc"), {":4:", "'4.5' is not an integer"}));
}

TEST(MatrixMarket, RefusesKindsThatWouldHaveToBeGuessedAt) {
  EXPECT_TRUE(
      has(refused("wrong_banner.mmc"), {"wrong_banner.mmc:1:", "not a MatrixMarket banner"}));
  EXPECT_TRUE(has(refused("pattern.mmc"), {":1:", "no values"}));
  EXPECT_TRUE(has(refused("symmetric.mmc"), {":1:", "one half of its cells"}));
  EXPECT_TRUE(has(refused("array.mmc"), {":1:", "not supported"}));
}

TEST(MatrixMarket, RefusesWrongSizes) {
  EXPECT_TRUE(has(refused("no_sizes.mmc"), {"ends before its line of sizes"}));
  EXPECT_TRUE(has(refused("wrong_sizes.mmc"), {"wrong_sizes.mmc:2:", "three integers"}));
  EXPECT_TRUE(has(refused("no_rows.mmc"), {":2:", "0 x 3"}));
}

TEST(MatrixMarket, RefusesMoreOrFewerEntriesThanAnnounced) {
  EXPECT_TRUE(has(refused("too_few_entries.mmc"), {"announces 4 entries", "after 3"}));
  EXPECT_TRUE(has(refused("too_many_entries.mmc"), {":5: one more entry", "announces 2"}));
}

TEST(MatrixMarket, RefusesIndicesOutsideTheMatrix) {
  EXPECT_TRUE(has(refused("row_beyond_size.mmc"), {":3: the row index '3' is not in 1 .. 2"}));
  EXPECT_TRUE(has(refused("col_zero.mmc"), {":3: the column index '0' is not in 1 .. 3"}));
  EXPECT_TRUE(has(refused("four_fields.mmc"), {":3:", "three fields"}));
}

TEST(MatrixMarket, IsToldFromTextByItsBanner) {
  RatingsSource source;
  source.train = ratings_file("plain.mmc");
  source.test = ratings_file("larger.mmc");
  const Ratings ratings = read_ratings(source);
  EXPECT_EQ(ratings.train.size(), 3U);
  EXPECT_EQ(ratings.rows, 4U) << "the larger header counts";
  EXPECT_EQ(ratings.cols, 3U);
  EXPECT_EQ(ratings.test_unseen, 1U);
  EXPECT_TRUE(has(ratings.reports.at(1).notes.at(0), {"4 x 2", "2 x 3"}));
}

TEST(MatrixMarket, RefusesTextOptionsAndATextTestFile) {
  RatingsSource source;
  source.train = ratings_file("plain.mmc");
  source.text.skip_lines = 1;
  EXPECT_TRUE(has(refusal([&] { read_ratings(source); }), {"skip_lines", "MatrixMarket"}));
  source.text.skip_lines = 0;
  source.test = ratings_file("plain.tsv");
  EXPECT_TRUE(has(refusal([&] { read_ratings(source); }),
                  {"plain.tsv: is not a MatrixMarket file", "one format"}));
}

TEST(MatrixMarket, WritesValuesThatReadBackExactly) {
  const TempDirectory temp;
  const std::string path = temp.path() + "/out.mmc";
  const std::vector<Cell> cells = {{0, 4, 0.1F},
                                   {2, 0, -std::numeric_limits<float>::max()},
                                   {2, 1, std::numeric_limits<float>::min()},
                                   {1, 3, 1.0F / 3}};
  write_matrix_market(path, 3, 5, cells);
  const MatrixFile file = read_matrix_market(path);
  EXPECT_EQ(file.rows, 3U);
  EXPECT_EQ(file.cols, 5U);
  ASSERT_EQ(file.cells.size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(file.cells[i].row, cells[i].row);
    EXPECT_EQ(file.cells[i].col, cells[i].col);
    EXPECT_EQ(file.cells[i].value, cells[i].value);
  }
  EXPECT_TRUE(contents(path).starts_with(
      "%%MatrixMarket matrix coordinate real general\n3 5 4\n1 5 0.1\n"));
}

TEST(MatrixMarket, LeavesNoFileBehindWhenWritingIsNotFinished) {
  const TempDirectory temp;
  const std::string path = temp.path() + "/out.mmc";
  const std::vector<Cell> cells = {{0, 0, 1.0F}, {0, 1, 1.0F}};
  EXPECT_TRUE(has(refusal([&] {
                    MatrixMarketWriter writer(path, 1, 2, 3);
                    writer.write(cells);
                    writer.finish();
                  }),
                  {"1 cells fewer"}));
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
  EXPECT_TRUE(has(refusal([] { write_matrix_market("/nowhere/x.mmc", 1, 1, {}); }),
                  {"/nowhere/x.mmc", "No such file or directory"}));
}

}  // namespace
}  // namespace pslab::data
