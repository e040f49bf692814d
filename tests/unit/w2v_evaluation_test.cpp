// Analogies and similarities of word vectors made by hand, and the files of vectors.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/support/temp_directory.hpp"
#include "workloads/word2vec/analogies.hpp"
#include "workloads/word2vec/evaluation.hpp"
#include "workloads/word2vec/vector_files.hpp"
#include "workloads/word2vec/word_questions.hpp"

namespace pslab::word2vec {
namespace {

using Vectors = std::vector<std::vector<float>>;

std::vector<float> joined(const Vectors& vectors) {
  std::vector<float> all;
  for (const auto& vector : vectors) all.insert(all.end(), vector.begin(), vector.end());
  return all;
}

/// Whether vector 0 is to 1 as 2 is to 3, as `parts` of all vectors come.
bool right(const Vectors& vectors, std::array<std::uint32_t, 4> ranks = {0, 1, 2, 3},
           std::size_t parts = 1) {
  const std::size_t n = vectors[0].size();
  Analogies analogies(n);
  const auto unit = [&](const Vectors& some) {
    std::vector<float> units = joined(some);
    make_unit(units, n);
    return units;
  };
  analogies.ask({ranks, 0},
                unit({vectors[ranks[0]], vectors[ranks[1]], vectors[ranks[2]], vectors[ranks[3]]}));
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = vectors.size() * part / parts;
    const std::size_t end = vectors.size() * (part + 1) / parts;
    analogies.compare(static_cast<std::uint32_t>(begin),
                      unit(Vectors(vectors.begin() + static_cast<std::ptrdiff_t>(begin),
                                   vectors.begin() + static_cast<std::ptrdiff_t>(end))));
  }
  return analogies.right()[0];
}

const std::vector<float> kMan = {1, 0, 0};
const std::vector<float> kWoman = {1, 1, 0};
const std::vector<float> kKing = {1, 0, 1};
const std::vector<float> kQueen = {1, 1, 1};

TEST(AnAnalogy, IsRightWhenItsFourthWordIsNearest) {
  EXPECT_TRUE(right({kMan, kWoman, kKing, kQueen}));
  EXPECT_TRUE(right({kMan, kWoman, kKing, kQueen, {0, 0, 1}, {0, -1, 0}}));
  // woman - man + king in unit vectors is nearer to this one.
  EXPECT_FALSE(right({kMan, kWoman, kKing, kQueen, {0.41F, 0.71F, 0.71F}}));
}

TEST(AnAnalogy, DoesNotAskForItsOwnFirstThreeWords) {
  // The answer without this rule is king itself.
  EXPECT_TRUE(right({{1, 0, 0}, {1, 0.1F, 0}, {0, 0, 1}, {0, 1, 1}}));
}

TEST(AnAnalogy, WhoseFourthWordIsOneOfTheOthersIsWrong) {
  EXPECT_FALSE(right({kMan, kWoman, kKing, kQueen}, {0, 1, 2, 2}));
  EXPECT_FALSE(right({kMan, kWoman, kKing, kQueen}, {0, 3, 2, 3}));
}

TEST(AnAnalogy, IsWrongWhenAnotherWordIsAsNear) {
  EXPECT_FALSE(right({kMan, kWoman, kKing, kQueen, kQueen}));
  EXPECT_FALSE(right({kQueen, kMan, kWoman, kKing, kQueen}, {1, 2, 3, 4}));
  const Vectors zeros(10, std::vector<float>(3, 0.0F));
  EXPECT_FALSE(right(zeros));
  const Vectors same(10, kQueen);
  EXPECT_FALSE(right(same));
}

TEST(AnAnalogy, IsJudgedByDirectionsNotLengths) {
  EXPECT_TRUE(right({{9, 0, 0}, kWoman, kKing, {0.1F, 0.1F, 0.1F}, {0, 50, 0}}));
}

TEST(AnAnalogy, IsJudgedAlikeHoweverManyCandidatesComeTogether) {
  Vectors vectors = {kMan, kWoman, kKing, kQueen};
  for (int i = 0; i < 300; ++i) {
    vectors.push_back({std::cos(0.3F * static_cast<float>(i)), -1.0F, 0.0F});
  }
  vectors.push_back({0.41F, 0.71F, 0.71F});  // the last of all is nearest
  for (const std::size_t parts : {1U, 2U, 7U, 304U}) {
    EXPECT_FALSE(right(vectors, {0, 1, 2, 3}, parts)) << parts;
  }
  vectors.pop_back();
  for (const std::size_t parts : {1U, 2U, 7U}) EXPECT_TRUE(right(vectors, {0, 1, 2, 3}, parts));
}

TEST(AnAnalogy, WithAVectorThatIsNoNumberShows) {
  Analogies analogies(2);
  analogies.ask({{0, 1, 2, 3}, 0}, std::vector<float>{1, 0, NAN, 1, 1, 1, 0, 1});
  EXPECT_EQ(analogies.not_numbers(), 1U);
}

TEST(Questions, AreAboutTheMostFrequentWordsInAnyCase) {
  data::WordTests tests;
  tests.analogies = {{"capitals",
                      {{"rome", "ITALY", "Paris", "France"},
                       {"rome", "Italy", "Oslo", "Norway"},
                       {"rome", "Italy", "paris", "france"}}},
                     {"none", {{"x", "y", "z", "rome"}}}};
  tests.similarities = {{"Rome", "Paris", 0.7}, {"Rome", "Oslo", 0.6}};
  const std::vector<std::string> words = {"Italy",  "rome", "Rome",  "Paris",
                                          "France", "Oslo", "Norway"};
  const Questions questions = find_questions(tests, words, 5);
  EXPECT_EQ(questions.candidates, 5U);
  ASSERT_EQ(questions.analogies.size(), 2U);
  EXPECT_EQ(questions.analogies[0].ranks, (std::array<std::uint32_t, 4>{1, 0, 3, 4}));
  EXPECT_EQ(questions.asked, (std::vector<std::uint64_t>{2, 0}));
  ASSERT_EQ(questions.similarities.size(), 1U);
  EXPECT_EQ(questions.similarities[0].second, 3U);
  EXPECT_NE(questions.notes[0].find("4 questions, 2 skipped"), std::string::npos);
  EXPECT_NE(questions.notes[0].find("capitals 2/3, none 0/1"), std::string::npos);
  EXPECT_NE(questions.notes[1].find("2 pairs, 1 skipped"), std::string::npos);
}

using Values = std::vector<double>;

TEST(Spearman, IsTheCorrelationOfRanks) {
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4}, Values{10, 200, 201, 9999}), 1.0);
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4}, Values{4, 3, 2, -1}), -1.0);
  // Differences of ranks 1, 1, 1, 1: 1 - 6 * 4 / (4 * 15).
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 2, 3, 4}, Values{2, 1, 4, 3}), 0.6);
}

TEST(Spearman, GivesEqualValuesTheMeanOfTheirRanks) {
  // Ranks 1.5 1.5 3 4 against 1 2 3.5 3.5: sum of products 4, of squares 4.5 each.
  EXPECT_DOUBLE_EQ(*spearman(Values{7, 7, 8, 9}, Values{1, 2, 3, 3}), 4.0 / 4.5);
}

TEST(Spearman, IsNotDefinedWhereEverythingIsTheSame) {
  EXPECT_EQ(spearman(Values{1, 1, 1}, Values{1, 2, 3}), std::nullopt);
  EXPECT_EQ(spearman(Values{1, 2, 3}, Values{4, 4, 4}), std::nullopt);
  EXPECT_EQ(spearman(Values{1}, Values{2}), std::nullopt);
  EXPECT_EQ(spearman(Values{}, Values{}), std::nullopt);
}

const std::vector<std::string> kWords = {"first", "sec\xC3\xB6nd", "x"};
const Vectors kVectors = {{0.1F, -1.5e-30F}, {1.0F / 3.0F, 3.0F}, {0.0F, 16777217.0F}};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void read_vector(std::size_t word, std::span<float> vector) {
  std::ranges::copy(kVectors[word], vector.begin());
}

TEST(VectorFiles, OfTextReadBackToTheSameVectors) {
  const test::TempDirectory folder;
  const std::filesystem::path file = std::filesystem::path(folder.path()) / "vectors.txt";
  write_text(file, kWords, 2, read_vector);
  std::istringstream in(contents(file));
  std::size_t words = 0;
  std::size_t floats = 0;
  in >> words >> floats;
  EXPECT_EQ(words, 3U);
  EXPECT_EQ(floats, 2U);
  for (std::size_t i = 0; i < words; ++i) {
    std::string word;
    in >> word;
    EXPECT_EQ(word, kWords[i]);
    for (const float expected : kVectors[i]) {
      std::string number;
      in >> number;
      EXPECT_EQ(std::stof(number), expected);
    }
  }
}

TEST(VectorFiles, OfBytesReadBackToTheSameVectors) {
  const test::TempDirectory folder;
  const std::filesystem::path file = std::filesystem::path(folder.path()) / "vectors.bin";
  write_binary(file, kWords, 2, read_vector);
  std::string expected = "3 2\n";
  for (std::size_t i = 0; i < 3; ++i) {
    expected += kWords[i] + " ";
    expected.append(reinterpret_cast<const char*>(kVectors[i].data()), 8);
    expected += "\n";
  }
  EXPECT_EQ(contents(file), expected);
}

TEST(VectorFiles, ThatCannotBeWrittenAreAnError) {
  EXPECT_THROW(write_text("/no/such/folder/vectors.txt", kWords, 2, read_vector), InputError);
}

}  // namespace
}  // namespace pslab::word2vec
