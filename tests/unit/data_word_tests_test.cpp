// Files of analogies and of word similarities.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "data/word_tests.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::vector<AnalogySection> analogies(const std::string& text) {
  const TempDirectory folder;
  folder.write("questions", text);
  return read_analogies(folder.path() + "/questions");
}

std::vector<WordPair> similarities(const std::string& text) {
  const TempDirectory folder;
  folder.write("pairs", text);
  return read_similarities(folder.path() + "/pairs");
}

TEST(Analogies, AreReadBySection) {
  const auto sections =
      analogies(": capital cities\nRome Italy Paris France\n\n:gram1\na b  c\td\r\n");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].name, "capital-cities");
  EXPECT_EQ(sections[0].questions[0],
            (std::array<std::string, 4>{"Rome", "Italy", "Paris", "France"}));
  EXPECT_EQ(sections[1].name, "gram1");
  EXPECT_EQ(sections[1].questions[0], (std::array<std::string, 4>{"a", "b", "c", "d"}));
}

TEST(Analogies, AreRefusedWithFileAndLine) {
  EXPECT_TRUE(has(refusal([] { analogies(": s\na b c\n"); }), {"questions:2: 3 words", "four"}));
  EXPECT_TRUE(has(refusal([] { analogies("a b c d\n"); }), {"questions:1", "first section"}));
  EXPECT_TRUE(has(refusal([] { analogies(":  \na b c d\n"); }), {"questions:1", "needs a name"}));
  EXPECT_TRUE(has(refusal([] { analogies(": s\na b c d\n: s\n"); }), {"questions:3", "'s'"}));
  EXPECT_TRUE(has(refusal([] { analogies(": s\n"); }), {"no question"}));
}

TEST(Similarities, AreReadWithTheirScores) {
  const auto pairs = similarities("cup\tmug\t8.5\n\ncup  car 0\n");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].first + pairs[0].second, "cupmug");
  EXPECT_EQ(pairs[0].score, 8.5);
  EXPECT_EQ(pairs[1].score, 0.0);
}

TEST(Similarities, AreRefusedWithFileAndLine) {
  EXPECT_TRUE(has(refusal([] { similarities("cup mug\n"); }), {"pairs:1: 2 columns", "score"}));
  EXPECT_TRUE(has(refusal([] { similarities("cup mug high\n"); }), {"pairs:1", "high"}));
  EXPECT_TRUE(has(refusal([] { similarities("cup mug nan\n"); }), {"pairs:1", "nan"}));
  EXPECT_TRUE(has(refusal([] { similarities("\n"); }), {"no pair"}));
}

}  // namespace
}  // namespace pslab::data
