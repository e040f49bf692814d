// Ratings as text: every row of the bad-input table, by one small file each.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/ratings_reader.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

RatingsSource source_of(const std::string& train, const std::string& test = "") {
  RatingsSource source;
  source.train = ratings_file(train);
  if (!test.empty()) source.test = ratings_file(test);
  source.split.test_share = 0;
  return source;
}

Ratings read(const std::string& train) {
  return read_ratings(source_of(train));
}

std::string refused(const std::string& train) {
  return refusal([&] { read(train); });
}

/// "row col value; ..." of the cells.
std::string cells(const std::vector<Cell>& list) {
  std::string text;
  for (const Cell& cell : list) {
    text += fmt::format("{} {} {}; ", cell.row, cell.col, cell.value);
  }
  return text;
}

constexpr const char* kPlain = "0 0 1.5; 0 1 -2; 1 0 0.3; ";

TEST(RatingsText, TellsTheDelimiterFromTheFirstRecord) {
  for (const char* name :
       {"plain.tsv", "comma.csv", "semicolon.csv", "double_colon.dat", "spaces.txt", "crlf.tsv",
        "byte_order_mark.tsv", "no_last_line_end.tsv", "two_members.tsv.gz"}) {
    const Ratings ratings = read(name);
    EXPECT_EQ(cells(ratings.train), kPlain) << name;
    EXPECT_EQ(ratings.reports.at(0).records, 3U) << name;
    EXPECT_EQ(ratings.reports.at(0).remapped, 0U) << name;
  }
}

TEST(RatingsText, RefusesAChangeOfDelimiterWithItsLine) {
  EXPECT_TRUE(has(refused("tab_then_comma.tsv"), {"tab_then_comma.tsv:2:", "separated by commas",
                                                  "this file's delimiter is tabs"}));
  EXPECT_TRUE(
      has(refused("space_then_comma.txt"), {"space_then_comma.txt:2:", "commas", "spaces"}));
  EXPECT_TRUE(has(refused("space_then_tab.txt"), {"space_then_tab.txt:2:", "tabs", "spaces"}));
}

TEST(RatingsText, UsesADelimiterThatIsSetAndRefusesAFileWithAnother) {
  RatingsSource source = source_of("comma.csv");
  source.text.delimiter = Delimiter::kComma;
  EXPECT_EQ(cells(read_ratings(source).train), kPlain);
  source.text.delimiter = Delimiter::kTab;
  EXPECT_TRUE(has(refusal([&] { read_ratings(source); }), {"comma.csv:1:", "commas", "tabs"}));
}

TEST(RatingsText, SkipsAndCountsBlankLines) {
  const Ratings ratings = read("blank_lines.tsv");
  EXPECT_EQ(cells(ratings.train), kPlain);
  EXPECT_EQ(ratings.reports.at(0).blank, 4U);
}

TEST(RatingsText, RefusesFilesWithoutARecord) {
  EXPECT_TRUE(has(refused("empty.tsv"), {"empty.tsv", "empty"}));
  EXPECT_TRUE(has(refused("only_blank_lines.tsv"), {"only_blank_lines.tsv", "no record"}));
}

TEST(RatingsText, RefusesTooFewColumnsAndEmptyIdsWithTheirLine) {
  EXPECT_TRUE(
      has(refused("too_few_columns.tsv"), {"too_few_columns.tsv:2: 2 columns separated by tabs"}));
  EXPECT_TRUE(has(refused("empty_id.tsv"), {"empty_id.tsv:2:", "row id is empty"}));
}

TEST(RatingsText, RefusesTooManyColumnsUnlessToldToIgnoreThem) {
  EXPECT_TRUE(has(refused("too_many_columns.tsv"),
                  {"too_many_columns.tsv:2: 4 columns", "extra_columns: ignore"}));
  RatingsSource source = source_of("too_many_columns.tsv");
  source.text.ignore_extra_columns = true;
  EXPECT_EQ(cells(read_ratings(source).train), "0 0 1; 0 1 2; ");
}

TEST(RatingsText, TakesQuotesAsPlainCharacters) {
  const Ratings ratings = read("quotes.csv");
  EXPECT_EQ(ratings.row_names, (std::vector<std::string>{"\"ann\"", "ann", "\"bob"}));
  EXPECT_EQ(ratings.col_names, (std::vector<std::string>{"\"film\"", "film"}));
}

TEST(RatingsText, TakesAnyBytesAsIdsAndDoesNotMergeLookAlikes) {
  const Ratings bytes = read("any_bytes.tsv");
  EXPECT_EQ(bytes.row_names, (std::vector<std::string>{"caf\xE9", "caf\xC3\xA9"}));
  EXPECT_EQ(bytes.col_names, (std::vector<std::string>{std::string("a\0b", 3), "a"}));
  EXPECT_EQ(read("look_alikes.tsv").rows, 2U);
}

TEST(RatingsText, StripsBlanksAroundIdsAndCountsThem) {
  const Ratings ratings = read("padded_ids.csv");
  EXPECT_EQ(ratings.row_names, (std::vector<std::string>{"ann", "bob"}));
  EXPECT_EQ(ratings.col_names, (std::vector<std::string>{"film"}));
  EXPECT_EQ(ratings.reports.at(0).stripped, 3U);
}

TEST(RatingsText, RefusesAHeaderAndACommentWithAHintThatWorks) {
  EXPECT_TRUE(has(refused("header.csv"), {"header.csv:1:", "'rating'", "skip_lines: 1"}));
  EXPECT_TRUE(has(refused("comment.tsv"), {"comment.tsv:1:", "skip_lines: 1"}));
  RatingsSource source = source_of("header.csv");
  source.text.skip_lines = 1;
  EXPECT_EQ(read_ratings(source).train.size(), 1U);
}

TEST(RatingsText, MapsNumbersToDenseIndicesInTheirOrder) {
  const Ratings ratings = read("ids_from_one.tsv");
  EXPECT_EQ(cells(ratings.train), "0 0 1; 1 0 2; 1 1 3; ");
  EXPECT_EQ(ratings.row_names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(ratings.col_names, (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(ratings.reports.at(0).remapped, 4U);
}

TEST(RatingsText, KeepsNoNamesWhereIdsAreTheirOwnIndices) {
  const Ratings ratings = read("plain.tsv");
  EXPECT_TRUE(ratings.row_names.empty());
  EXPECT_TRUE(ratings.col_names.empty());
}

TEST(RatingsText, AcceptsNegativeHugeAndZeroPaddedIds) {
  const Ratings ratings = read("ids_large.tsv");
  EXPECT_EQ(ratings.row_names, (std::vector<std::string>{"4294967296", "7", "007"}));
  EXPECT_EQ(ratings.col_names, (std::vector<std::string>{"-5", "99999999999999999999"}));
}

TEST(RatingsText, RefusesValuesThatAreNoFiniteNumber) {
  EXPECT_TRUE(has(refused("value_text.tsv"), {"value_text.tsv:2:", "'good' is not a number"}));
  EXPECT_TRUE(has(refused("value_nan.tsv"), {":2:", "'nan' is not finite"}));
  EXPECT_TRUE(has(refused("value_infinite.tsv"), {":2:", "'-inf' is not finite"}));
  EXPECT_TRUE(has(refused("value_decimal_comma.tsv"), {":2:", "'3,5'", "decimal point"}));
  EXPECT_TRUE(has(refused("value_beyond_float.tsv"), {":2:", "'1e400'", "32-bit float"}));
  EXPECT_TRUE(has(refused("value_missing.tsv"), {":2:", "'' is not a number"}));
}

TEST(RatingsText, TakesOnlyAValueThatIsNoNumberForAHeader) {
  const TempDirectory temp;
  const auto refused_line = [&temp](const std::string& line) {
    RatingsSource source;
    source.train = temp.write("a.csv", line + "\n");
    return refusal([&] { read_ratings(source); });
  };
  EXPECT_TRUE(refused_line("1,2,nan").ends_with(
      "a.csv:1: the value 'nan' is not finite; remove the record or give it a number"));
  EXPECT_TRUE(refused_line("1,2,-inf").ends_with("give it a number"));
  EXPECT_TRUE(refused_line("1,2,1e400").ends_with("(about 1e-45 to 3.4e38)"));
  EXPECT_TRUE(refused_line("1\t2\t3,5").ends_with("use a decimal point, not a comma"));
  EXPECT_TRUE(refused_line("user,item,rating")
                  .ends_with("the value 'rating' is not a number. If this is a header or a "
                             "comment, set skip_lines: 1"));
  EXPECT_TRUE(refused_line("user,rating")
                  .ends_with("a record is row, column, value. If this is a header or a comment, "
                             "set skip_lines: 1"));
}

TEST(RatingsText, MergesDuplicatesAsToldAndCountsThem) {
  RatingsSource source = source_of("duplicates.tsv");
  Ratings ratings = read_ratings(source);
  EXPECT_EQ(cells(ratings.train), "0 0 6; 1 0 9; ");
  EXPECT_EQ(ratings.reports.at(0).duplicates, 2U);
  EXPECT_EQ(ratings.reports.at(0).records, 2U);
  source.duplicates = Duplicates::kMean;
  ratings = read_ratings(source);
  EXPECT_EQ(cells(ratings.train), "0 0 3; 1 0 9; ");
  source.duplicates = Duplicates::kRefuse;
  EXPECT_TRUE(has(refusal([&] { read_ratings(source); }),
                  {"duplicates.tsv:4: the same row and column as in line 1"}));
}

TEST(RatingsText, CountsALeakBetweenTrainAndTestAndLeavesTheWarningToTheWorkload) {
  const Ratings ratings = read_ratings(source_of("plain.tsv", "test_with_leak.tsv"));
  EXPECT_EQ(ratings.leaked, 1U);
  EXPECT_EQ(ratings.test.size(), 2U);
  EXPECT_TRUE(ratings.reports.at(1).notes.empty());
}

TEST(RatingsText, GivesIdsThatOnlyTheTestHasAnIndexAndCountsTheirCells) {
  const Ratings ratings = read_ratings(source_of("plain.tsv", "test_with_unseen.tsv"));
  EXPECT_EQ(ratings.test_unseen, 2U);
  EXPECT_EQ(ratings.reports.at(1).notes,
            std::vector<std::string>{"2 row or column ids occur only in the test file"});
  EXPECT_EQ(ratings.rows, 3U);
  EXPECT_EQ(ratings.cols, 3U);
  EXPECT_EQ(cells(ratings.test), "0 0 1.5; 2 0 2; 1 2 2; ");
  EXPECT_EQ(ratings.row_names, (std::vector<std::string>{"0", "1", "5"}));
}

TEST(RatingsText, RunsWithOneUserAndOneItem) {
  const Ratings ratings = read("one_cell.tsv");
  EXPECT_EQ(ratings.rows, 1U);
  EXPECT_EQ(cells(ratings.train), "0 0 4; ");
}

TEST(RatingsText, AcceptsAnIdOfAMegabyteAndShowsItShort) {
  const TempDirectory temp;
  RatingsSource source;
  source.split.test_share = 0;
  const std::string id(std::size_t{1} << 20, 'x');
  source.train = temp.write("long.tsv", id + "\tfilm\t4\nann\tfilm\t3\n");
  EXPECT_EQ(read_ratings(source).row_names.at(0).size(), id.size());
  source.train = temp.write("long_value.tsv", "ann\tfilm\t" + id + "\n");
  EXPECT_LT(refusal([&] { read_ratings(source); }).size(), 500U);
}

TEST(RatingsText, RefusesBrokenGzip) {
  EXPECT_TRUE(has(refused("truncated.tsv.gz"),
                  {"truncated.tsv.gz:197: the gzip data end before", "truncated, get it again"}));
  EXPECT_TRUE(has(refused("damaged.tsv.gz"),
                  {"damaged.tsv.gz:1: damaged gzip data in this line or later"}));
}

TEST(RatingsText, SaysWhatToDoAboutAFileThatCannotBeOpened) {
  EXPECT_TRUE(refused("").ends_with(
      "tests/data/ratings/: is a directory; name the file in it that has the data"));
  RatingsSource source;
  source.train = "no/ratings.tsv";
  EXPECT_EQ(refusal([&] { read_ratings(source); }),
            "no/ratings.tsv: cannot open: No such file or directory; a relative path counts from "
            "the working directory, " +
                std::filesystem::current_path().string());
  source.train = "/no/ratings.tsv";
  EXPECT_EQ(refusal([&] { read_ratings(source); }),
            "/no/ratings.tsv: cannot open: No such file or directory");
}

TEST(RatingsText, HoldsTheSameExactShareOutForTheSameSeed) {
  const TempDirectory temp;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("{}\t{}\t{}\n", i / 40, i % 40, i);
  RatingsSource source;
  source.train = temp.write("a.tsv", text);
  source.split = Split();
  source.split.test_share = 0.2;
  const Ratings first = read_ratings(source);
  EXPECT_EQ(first.test.size(), 200U);
  EXPECT_EQ(first.train.size(), 800U);
  EXPECT_EQ(cells(first.test), cells(read_ratings(source).test));
  EXPECT_TRUE(has(first.reports.at(0).notes.at(0), {"held out 200 of the 1000 cells"}));
  source.split.seed = 2;
  EXPECT_NE(cells(first.test), cells(read_ratings(source).test));
}

}  // namespace
}  // namespace pslab::data
