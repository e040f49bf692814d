#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace pslab {
namespace {

const std::vector<std::string> kNames = {"rank", "learning_rate", "epochs", "relocation", "k"};

TEST(NearestName, FindsASwapAnOmissionAnInsertionAndASubstitution) {
  EXPECT_EQ(nearest_name("rnak", kNames), "rank");
  EXPECT_EQ(nearest_name("rak", kNames), "rank");
  EXPECT_EQ(nearest_name("rankk", kNames), "rank");
  EXPECT_EQ(nearest_name("tank", kNames), "rank");
}

TEST(NearestName, IgnoresCaseAndTheKindOfWordSeparator) {
  EXPECT_EQ(nearest_name("Learning-Rate", kNames), "learning_rate");
}

TEST(NearestName, ToleratesMoreEditsInLongerNames) {
  EXPECT_EQ(nearest_name("lerning_rat", kNames), "learning_rate");
  EXPECT_EQ(nearest_name("rnkk", {"rank"}), "");
}

TEST(NearestName, CompletesAnAbbreviationOfThreeLetters) {
  EXPECT_EQ(nearest_name("reloc", kNames), "relocation");
  EXPECT_EQ(nearest_name("re", kNames), "");
}

TEST(NearestName, PrefersTheSmallestDistance) {
  EXPECT_EQ(nearest_name("epoch", {"epics", "epochs"}), "epochs");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("bandwidth", kNames), "");
  EXPECT_EQ(nearest_name("j", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("rank", {}), "");
}

TEST(DidYouMean, IsAWholeSentenceOrNothing) {
  EXPECT_EQ(did_you_mean("rnak", kNames), " Did you mean 'rank'?");
  EXPECT_EQ(did_you_mean("bandwidth", kNames), "");
}

TEST(Join, PutsTheSeparatorBetweenItemsOnly) {
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Utf8Length, GivesTheLengthOfValidCharacters) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\u00e9x"), 2U);
  EXPECT_EQ(utf8_length("\u20ac"), 3U);
  EXPECT_EQ(utf8_length("\U0001F600"), 4U);
}

TEST(Utf8Length, IsZeroForWhatIsNotUtf8) {
  EXPECT_EQ(utf8_length(""), 0U);
  EXPECT_EQ(utf8_length("\x80"), 0U);              // continuation first
  EXPECT_EQ(utf8_length("\xC3"), 0U);              // cut off
  EXPECT_EQ(utf8_length("\xC3("), 0U);             // no continuation
  EXPECT_EQ(utf8_length("\xC0\xAF"), 0U);          // over-long
  EXPECT_EQ(utf8_length("\xE0\x80\xAF"), 0U);      // over-long
  EXPECT_EQ(utf8_length("\xED\xA0\x80"), 0U);      // surrogate
  EXPECT_EQ(utf8_length("\xF4\x90\x80\x80"), 0U);  // beyond U+10FFFF
  EXPECT_EQ(utf8_length("\xFF"), 0U);
}

TEST(Printable, KeepsTextAndEscapesWhatIsNot) {
  EXPECT_EQ(printable("caf\u00e9 'x' \\"), "caf\u00e9 'x' \\");
  EXPECT_EQ(printable("a\tb\nc\x1b[31m\x7f"), "a\\x09b\\x0ac\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");  // a control sequence, in UTF-8
}

TEST(Shortest, ReadsBackToTheSameDouble) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e-5), "1e-05");
  EXPECT_EQ(shortest(25), "25");
  EXPECT_EQ(shortest(-0.0), "-0");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
  for (const double value : {1.0 / 3, 1e300, 5e-324, 0.1 + 0.2, 123456789.123456789}) {
    EXPECT_EQ(std::strtod(shortest(value).c_str(), nullptr), value);
  }
}

TEST(HumanBytes, UsesThreeDigitsAndBinaryUnits) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1 KiB");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(123456789), "118 MiB");
  EXPECT_EQ(human_bytes(1024.0 * 1024 - 1), "1 MiB");
  EXPECT_EQ(human_bytes(-1536), "-1.5 KiB");
}

TEST(HumanTraffic, UsesPowersOfAThousandAsLinksDo) {
  EXPECT_EQ(human_traffic(0), "0 B");
  EXPECT_EQ(human_traffic(1500), "1.5 kB");
  EXPECT_EQ(human_traffic(123456789), "123 MB");
}

TEST(Counted, KnowsTheSingular) {
  EXPECT_EQ(counted(0, "epoch"), "0 epochs");
  EXPECT_EQ(counted(1, "epoch"), "1 epoch");
  EXPECT_EQ(counted(2, "epoch"), "2 epochs");
}

TEST(ShellQuoted, LeavesPlainWordsAndQuotesAllOthers) {
  EXPECT_EQ(shell_quoted("results/a-b_1.5"), "results/a-b_1.5");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(HumanSeconds, ChoosesTheUnitByTheSize) {
  EXPECT_EQ(human_seconds(0), "0 s");
  EXPECT_EQ(human_seconds(0.00025), "250 us");
  EXPECT_EQ(human_seconds(3.5e-9), "3.5 ns");
  EXPECT_EQ(human_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(human_seconds(0.9999), "1 s");
  EXPECT_EQ(human_seconds(12.345), "12.3 s");
  EXPECT_EQ(human_seconds(59.99), "1 min 0 s");
  EXPECT_EQ(human_seconds(125), "2 min 5 s");
  EXPECT_EQ(human_seconds(5400), "1 h 30 min");
  EXPECT_EQ(human_seconds(200000), "2 d 8 h");
  EXPECT_EQ(human_seconds(-0.5), "-500 ms");
}

}  // namespace
}  // namespace pslab
