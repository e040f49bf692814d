// What is drawn for a sentence: which words stay, how far contexts reach; and how the learning rate
// falls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "chi_square.hpp"
#include "config/yaml.hpp"
#include "workloads/word2vec/accesses.hpp"
#include "workloads/word2vec/sentences.hpp"

namespace pslab::word2vec {
namespace {

/// Options from YAML, a vocabulary of `words`, and sentences of `length` tokens, word i % words.
struct Text {
  Text(const std::string& yaml, std::uint32_t words, std::size_t tokens, std::size_t length)
      : given(config::parse_yaml(yaml, "test.yaml")), options(&given, "workload"), shared(options) {
    shared.words.resize(words);
    shared.keep.assign(words, std::uint64_t{1} << 32);
    for (std::size_t i = 0; i < tokens; ++i) {
      shared.tokens.emplace_back(static_cast<std::uint32_t>(i % words), i % length == 0);
    }
  }

  SentenceReader reader(int epoch = 1) const {
    return {shared,
            shared.tokens,
            epoch,
            {Random(1, "subsampling"), Random(1, "windows"), Random(1, "order")}};
  }

  config::Value given;
  config::Options options;
  Shared shared;
};

TEST(Subsampling, KeepsWordsWithTheProbabilityOfTheOriginalFormula) {
  // word2vec: (sqrt(count / (t * total)) + 1) * (t * total) / count
  for (const double share : {0.5, 0.05, 0.002, 0.001}) {
    const double t = 1e-3;
    const double published = (std::sqrt(share / t) + 1.0) * t / share;
    EXPECT_NEAR(static_cast<double>(keep_threshold(share, t)) * 0x1.0p-32, std::min(published, 1.0),
                1e-9);
  }
  EXPECT_EQ(keep_threshold(0.5, 0.0), std::uint64_t{1} << 32);
}

TEST(Subsampling, LeavesOutSoManyOfTheWords) {
  constexpr std::size_t kTokens = 400'000;
  Text text("{}", 2, kTokens, 10);
  text.shared.keep[0] = keep_threshold(0.5, 0.02);
  const double kept = static_cast<double>(text.shared.keep[0]) * 0x1.0p-32;
  SentenceReader reader = text.reader();
  Sentences group;
  std::vector<double> counts(2, 0.0);
  for (reader.read(group, 100); !group.ends.empty(); reader.read(group, 100)) {
    for (const std::uint32_t word : group.words) ++counts[word];
  }
  EXPECT_EQ(counts[1], kTokens / 2.0);
  EXPECT_NEAR(counts[0] / (kTokens / 2.0), kept, 5.0 * std::sqrt(kept / (kTokens / 2.0)));
}

TEST(Sentences, ThatAreTooShortForAPairAreLeftOut) {
  Text text("{}", 3, 9, 3);
  text.shared.keep = {0, 0, std::uint64_t{1} << 32};
  Sentences group;
  text.reader().read(group, 10);
  EXPECT_TRUE(group.ends.empty());
  EXPECT_TRUE(group.words.empty());
  EXPECT_TRUE(group.pairs.empty());
}

TEST(TheText, IsReadWhollyInAnotherOrderOfItsPartsWhenShuffled) {
  const auto read = [](const std::string& yaml, std::size_t tokens) {
    const Text text(yaml, static_cast<std::uint32_t>(tokens), tokens, 7);  // each word once
    SentenceReader reader = text.reader();
    Sentences group;
    std::vector<std::uint32_t> words;
    for (reader.read(group, 3); !group.ends.empty(); reader.read(group, 3)) {
      words.insert(words.end(), group.words.begin(), group.words.end());
    }
    return words;
  };
  for (const std::size_t tokens : {7U, 3500U, 70'000U}) {
    std::vector<std::uint32_t> all(tokens);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(read("{shuffle: false}", tokens), all);
    std::vector<std::uint32_t> shuffled = read("{shuffle: true}", tokens);
    if (tokens > 1000) {
      EXPECT_NE(shuffled, all);
    }
    std::ranges::sort(shuffled);
    EXPECT_EQ(shuffled, all);
  }
}

TEST(Windows, AreUniformFrom1ToTheirLimit) {
  for (const std::uint32_t window : {1U, 5U, 8U}) {
    const Text text("{window: " + std::to_string(window) + "}", 7, 200'000, 20);
    SentenceReader reader = text.reader();
    Sentences group;
    reader.read(group, 1'000'000);
    std::vector<int> counts(window, 0);
    for (const std::uint32_t reach : group.reach) ++counts.at(reach - 1);
    EXPECT_EQ(group.reach.size(), 200'000U);
    EXPECT_LE(test::chi_square(counts), test::chi_square_limit(window)) << window;
  }
}

TEST(Contexts, AreTheWordsAroundWithinTheSentence) {
  const auto positions = [](std::size_t position, std::size_t reach) {
    const Context context = context_of(position, reach, 10, 15);
    std::vector<std::size_t> all;
    for (std::size_t i = context.begin; i < context.end; ++i) {
      if (i != position) all.push_back(i);
    }
    EXPECT_EQ(all.size(), context.size());
    return all;
  };
  using Positions = std::vector<std::size_t>;
  EXPECT_EQ(positions(12, 1), (Positions{11, 13}));
  EXPECT_EQ(positions(10, 2), (Positions{11, 12}));
  EXPECT_EQ(positions(14, 2), (Positions{12, 13}));
  EXPECT_EQ(positions(13, 9), (Positions{10, 11, 12, 14}));
}

TEST(ExpectedContexts, AreTheMeanOfThoseThatAreDrawn) {
  for (const std::size_t length : {2U, 4U, 7U, 30U}) {
    const Text text("{window: 5}", 7, 60'000 - 60'000 % length, length);
    SentenceReader reader = text.reader();
    Sentences group;
    reader.read(group, 1'000'000);
    const double drawn =
        static_cast<double>(group.pairs.back()) / static_cast<double>(group.words.size());
    EXPECT_NEAR(expected_contexts(static_cast<double>(length), 5), drawn, 0.02 * drawn) << length;
  }
  EXPECT_EQ(expected_contexts(1.0, 5), 0.0);
}

/// Reads a text to its end: the learning rates of its groups of two sentences.
std::vector<double> rates(const Text& text, int epoch) {
  SentenceReader reader = text.reader(epoch);
  Sentences group;
  std::vector<double> rates;
  for (reader.read(group, 2); !group.ends.empty(); reader.read(group, 2)) {
    rates.push_back(group.alpha);
  }
  return rates;
}

TEST(TheLearningRate, FallsLinearlyOverAllEpochsToTheTenThousandthPart) {
  Text text("{alpha: 0.4}", 7, 40, 5);
  text.shared.epochs = 2;
  const std::vector<double> first = rates(text, 1);
  ASSERT_EQ(first.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(first[i], 0.4 * (1.0 - static_cast<double>(i) / 8.0));
    EXPECT_DOUBLE_EQ(rates(text, 2)[i], 0.4 * (0.5 - static_cast<double>(i) / 8.0));
    EXPECT_DOUBLE_EQ(rates(text, 3)[i], 0.4 * 1e-4);
  }
}

TEST(ExpectedAccesses, AreThoseThatTrainingMakes) {
  for (const std::string batch : {"pair", "centre"}) {
    Text text("{window: 3, negatives: 4, batch: " + batch + "}", 7, 70'000, 10);
    text.shared.keep[2] = std::uint64_t{1} << 31;
    SentenceReader reader = text.reader();
    Sentences group;
    reader.read(group, 1'000'000);
    std::vector<double> accesses(2 * 7, 0.0);
    std::size_t begin = 0;
    for (const std::size_t end : group.ends) {
      for (std::size_t i = begin; i < end; ++i) {
        const Context context = context_of(i, group.reach[i], begin, end);
        for (std::size_t k = context.begin; k < context.end; ++k) {
          if (k != i) accesses[text.shared.input(group.words[k])] += 2;
        }
        accesses[text.shared.output(group.words[i])] +=
            batch == "pair" ? 2.0 * static_cast<double>(context.size()) : 2.0;
      }
      begin = end;
    }
    const ExpectedAccesses expected = expected_accesses(text.shared, text.shared.tokens);
    for (std::size_t key = 0; key < 14; ++key) {
      EXPECT_NEAR(double{expected.direct[key]}, accesses[key], 0.05 * accesses[key]) << key;
    }
    EXPECT_NEAR(expected.samples, 2.0 * 4.0 * static_cast<double>(group.pairs.back()),
                0.02 * expected.samples);
  }
}

}  // namespace
}  // namespace pslab::word2vec
