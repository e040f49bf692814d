// Text for word vectors: what is read how, and what is refused; one small file per way in which a
// text can be unusual.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "data/catalog.hpp"
#include "data/corpus_dataset.hpp"
#include "data/corpus_reader.hpp"
#include "data_environment.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::string corpus_file(const std::string& name) {
  return project_root() + "/tests/data/corpus/" + name;
}

Corpus read(const std::string& file, CorpusReading how = {.min_count = 1}) {
  return read_corpus({corpus_file(file)}, how);
}

std::string all_notes(const Corpus& corpus) {
  std::string text;
  for (const std::string& note : corpus.notes) text += note + "\n";
  return text;
}

/// The words of the text, sentences in brackets.
std::string text_of(const Corpus& corpus) {
  std::string text;
  for_each_sentence(corpus.tokens, [&](std::span<const Token> sentence) {
    text += "[";
    for (const Token token : sentence) text += corpus.words[token.word()] + " ";
    text.back() = ']';
  });
  return text;
}

const std::string kPlain = "[the cat sat][the dog sat][the cat ran]";

TEST(ACorpus, HasItsWordsByFallingFrequencyThenByTheirBytes) {
  const Corpus corpus = read("plain.txt");
  EXPECT_EQ(corpus.words, (std::vector<std::string>{"the", "cat", "sat", "dog", "ran"}));
  EXPECT_EQ(corpus.counts, (std::vector<std::uint64_t>{3, 2, 2, 1, 1}));
  EXPECT_EQ(text_of(corpus), kPlain);
  EXPECT_TRUE(has(all_notes(corpus), {"3 lines, 0 blank, 9 tokens of 5 different words",
                                      "0 tokens out of vocabulary", "3 sentences; 0 made"}));
}

TEST(ACorpus, IsTheSameWhateverTheLineEndsMarksBlanksAndPacking) {
  for (const std::string file : {"no_last_line_end.txt", "crlf.txt", "byte_order_mark.txt",
                                 "blanks.txt", "plain.txt.gz", "two_members.txt.gz"}) {
    EXPECT_EQ(text_of(read(file)), kPlain) << file;
  }
}

TEST(ACorpus, SkipsBlankLinesAndCountsThem) {
  const Corpus corpus = read("blank_lines.txt");
  EXPECT_EQ(text_of(corpus), kPlain);
  EXPECT_TRUE(has(all_notes(corpus), {"6 lines, 3 blank"}));
}

TEST(ACorpus, TakesQuotesNulBytesAndLookAlikesAsTheyAre) {
  EXPECT_EQ(text_of(read("quotes.txt")), "[\"the cat\" sat][the \"cat\"]");
  EXPECT_EQ(text_of(read("nul.txt")), std::string("[the c\0t c\0t]", 13));
  EXPECT_EQ(read("look_alikes.txt").words, (std::vector<std::string>{"\u00e9", "e\u0301"}));
}

TEST(ACorpus, RefusesReplacesOrKeepsInvalidUtf8) {
  EXPECT_TRUE(has(refusal([] { read("invalid_utf8.txt"); }),
                  {"invalid_utf8.txt:2", "c\\xe4t", "not valid UTF-8", "replace or keep"}));
  const Corpus replaced =
      read("invalid_utf8.txt", {.min_count = 1, .invalid_utf8 = InvalidUtf8::kReplace});
  EXPECT_EQ(text_of(replaced), "[the cat sat][the c\uFFFDt sat][the c\u00e4t]");
  EXPECT_TRUE(has(all_notes(replaced), {"1 byte of invalid UTF-8 replaced"}));
  const Corpus kept =
      read("invalid_utf8.txt", {.min_count = 1, .invalid_utf8 = InvalidUtf8::kKeep});
  EXPECT_EQ(text_of(kept), "[the cat sat][the c\xE4t sat][the c\u00e4t]");
}

TEST(ACorpus, LeavesRareWordsOutAndCountsThem) {
  const Corpus corpus = read("plain.txt", {.min_count = 2});
  EXPECT_EQ(text_of(corpus), "[the cat sat][the sat][the cat]");
  EXPECT_TRUE(has(all_notes(corpus), {"2 tokens out of vocabulary skipped",
                                      "fewer than 2 times (2 words)", "no limit of the vocab"}));
}

TEST(ACorpus, BeginsASentenceWithTheFirstWordThatIsKept) {
  const test::TempDirectory folder;
  folder.write("text", "a b\nrare a\nrarer\nb a\n");
  EXPECT_EQ(text_of(read_corpus({folder.path() + "/text"}, {.min_count = 2})), "[a b][a][b a]");
}

TEST(ACorpus, KeepsOnlyTheMostFrequentWordsOfALimitedVocabulary) {
  const Corpus corpus = read("plain.txt", {.min_count = 1, .max_vocabulary = 2});
  EXPECT_EQ(text_of(corpus), "[the cat][the][the cat]");
  EXPECT_TRUE(
      has(all_notes(corpus), {"4 tokens out of vocabulary", "max_vocabulary, 2 (3 words)"}));
}

TEST(ACorpus, OfNoWordIsRefusedWithMinCountAndTheMostFrequentWord) {
  EXPECT_TRUE(has(refusal([] { read("plain.txt", {.min_count = 4}); }),
                  {"plain.txt: no word occurs min_count (4) times", "5 words", "'the', occurs 3",
                   "Lower min_count"}));
  EXPECT_TRUE(has(refusal([] { read("only_blank_lines.txt"); }), {"no word in this text"}));
  EXPECT_TRUE(
      has(refusal([] { read("one_word.txt", {}); }), {"min_count (5)", "'word', occurs 1"}));
  EXPECT_EQ(text_of(read("one_word.txt")), "[word]");
}

TEST(ACorpus, IsRefusedWhenTheFileCannotBeReadToItsEnd) {
  EXPECT_TRUE(has(refusal([] { read("no_such.txt"); }), {"no_such.txt", "No such file"}));
  EXPECT_TRUE(has(refusal([] { read(""); }), {"tests/data/corpus", "directory"}));
  EXPECT_TRUE(has(refusal([] { read("empty.txt"); }), {"empty.txt", "empty"}));
  EXPECT_TRUE(has(refusal([] { read("truncated.txt.gz"); }), {"truncated.txt.gz"}));
}

TEST(ACorpus, SplitsLongSentencesAndCountsTheSplits) {
  const test::TempDirectory folder;
  std::string text;
  for (std::size_t i = 0; i < 2 * kMaxSentence + 1; ++i) text += "word ";
  text += "\nword word\n";
  folder.write("text", text);
  const Corpus corpus = read_corpus({folder.path() + "/text"}, {});
  std::vector<std::size_t> lengths;
  for_each_sentence(corpus.tokens, [&](auto sentence) { lengths.push_back(sentence.size()); });
  EXPECT_EQ(lengths, (std::vector<std::size_t>{kMaxSentence, kMaxSentence, 1, 2}));
  EXPECT_TRUE(has(all_notes(corpus), {"4 sentences; 2 made by splitting", "1000 words"}));
}

TEST(ACorpus, HasWordsAndLinesOfAnyLength) {
  const test::TempDirectory folder;
  const std::string word(std::size_t{5} << 20, 'x');
  folder.write("text", word + " y " + word + "\ny\n");
  const Corpus corpus = read_corpus({folder.path() + "/text"}, {.min_count = 2});
  EXPECT_EQ(corpus.words, (std::vector<std::string>{word, "y"}));
  EXPECT_EQ(corpus.tokens.size(), 4U);
}

/// Several blocks of lines, with words that only some of them have.
std::string long_text() {
  std::string text;
  for (int line = 0; line < 250'000; ++line) {
    for (int i = 0; i < 1 + line % 7; ++i) {
      text += "w" + std::to_string(line * 37 % (100 + line / 50) + i) + " ";
    }
    text += '\n';
  }
  return text;
}

TEST(ACorpus, IsTheSameHoweverManyThreadsReadIt) {
  const test::TempDirectory folder;
  folder.write("text", long_text());
  const auto with = [&](unsigned threads) {
    return read_corpus({folder.path() + "/text"}, {.min_count = 3, .threads = threads});
  };
  const Corpus one = with(1);
  EXPECT_GT(std::filesystem::file_size(folder.path() + "/text"), std::size_t{5} << 20);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const Corpus several = with(threads);
    EXPECT_EQ(several.words, one.words) << threads;
    EXPECT_EQ(several.counts, one.counts) << threads;
    EXPECT_EQ(several.tokens, one.tokens) << threads;
    EXPECT_EQ(several.notes, one.notes) << threads;
  }
}

TEST(ACorpus, OfSeveralFilesIsThatOfAllTogether) {
  const test::TempDirectory folder;
  folder.write("b", "the dog sat\nthe cat ran");
  folder.write("a", "the cat sat");
  const config::Value value =
      config::parse_yaml("{folder: " + folder.path() + ", min_count: 1}", "test");
  config::Options options(&value, "workload.dataset");
  const CorpusDataset dataset(options);
  options.finish();
  EXPECT_EQ(text_of(dataset.load("").corpus), kPlain);
}

TEST(CorpusDataset, BringsTheQuestionsOfANamedSet) {
  const test::TempDirectory cache;
  const Environment environment({{"PSLAB_DATA", cache.path()}});
  std::filesystem::create_directory(cache.path() + "/text-large");
  cache.write("text-large/text.txt", "the cat sat\n");
  cache.write("text-large/analogies.txt", ": plural\ncat cats dog dogs\n");
  cache.write("text-large/similarities.tsv", "cat\tdog\t0.75\n");
  write_sums(find_dataset("text-large"), cache.path() + "/text-large");
  const config::Value value = config::parse_yaml("{name: text-large, min_count: 1}", "test");
  config::Options options(&value, "workload.dataset");
  const WordTests tests = CorpusDataset(options).load(project_root()).tests;
  ASSERT_EQ(tests.analogies.size(), 1U);
  EXPECT_EQ(tests.analogies[0].name, "plural");
  EXPECT_EQ(tests.analogies[0].questions.size(), 1U);
  ASSERT_EQ(tests.similarities.size(), 1U);
  EXPECT_EQ(tests.similarities[0].score, 0.75);
}

TEST(Sentences, AreSplitOverRangesOfTokensWithoutLossOrRepetition) {
  const Corpus corpus = read("plain.txt");
  for (std::size_t parts = 1; parts <= 12; ++parts) {
    std::vector<Token> together;
    for (std::size_t part = 0; part < parts; ++part) {
      const auto some = sentences(corpus.tokens, corpus.tokens.size() * part / parts,
                                  corpus.tokens.size() * (part + 1) / parts);
      EXPECT_TRUE(some.empty() || some.front().begins()) << parts;
      together.insert(together.end(), some.begin(), some.end());
    }
    EXPECT_EQ(together, corpus.tokens) << parts;
  }
}

/// What a dataset with these options is refused for.
std::string refused(const std::string& yaml) {
  return refusal([&] {
    const config::Value value = config::parse_yaml(yaml, "test.yaml");
    config::Options options(&value, "workload.dataset");
    const CorpusDataset dataset(options);
    options.finish();
    dataset.load("");
  });
}

TEST(CorpusDataset, RefusesWhatCannotBe) {
  EXPECT_TRUE(
      has(refused("{file: text, folder: shards}"), {"folder", "cannot be combined with file"}));
  EXPECT_TRUE(has(refused("{file: x, generator: planted_corpus}"), {"generator", "give one"}));
  EXPECT_TRUE(has(refused("{generator: none}"), {"leaves no text"}));
  EXPECT_TRUE(has(refused("{file: x, topics: 3}"), {"dataset.topics", "no effect"}));
  EXPECT_TRUE(has(refused("{min_count: 3}"), {"dataset.min_count", "no effect"}));
  EXPECT_TRUE(has(refused("{threads: 3}"), {"dataset.threads", "no effect"}));
  EXPECT_TRUE(has(refused("{folder: /no/such}"), {"/no/such", "No such file"}));
  const test::TempDirectory folder;
  const std::string in_folder = "{folder: " + folder.path() + "}";
  EXPECT_TRUE(has(refused(in_folder), {"no file in this folder"}));
  const std::string file = folder.write("a.txt", "the cat sat\n");
  EXPECT_TRUE(has(refused("{folder: " + file + "}"), {"a.txt: is a file; give it as file"}));
  EXPECT_TRUE(has(refused("{file: " + folder.path() + "}"), {"is a directory; name the file"}));
  folder.write("a.txt.gz", "the cat sat\n");
  EXPECT_TRUE(has(refused(in_folder), {"a.txt and the same with .gz", "keep one"}));
  std::filesystem::remove(folder.path() + "/a.txt.gz");
  folder.write("more/b.txt", "the cat sat\n");
  EXPECT_TRUE(has(refused(in_folder), {"the folder more in it would be left out"}));
}

TEST(PlantedCorpus, RepeatsFromItsSeedOnly) {
  PlantedCorpus planted;
  planted.sentences = 500;
  const Corpus first = generate_planted_corpus(planted).corpus;
  EXPECT_EQ(generate_planted_corpus(planted).corpus.tokens, first.tokens);
  planted.seed = 2;
  EXPECT_NE(generate_planted_corpus(planted).corpus.tokens, first.tokens);
}

TEST(PlantedCorpus, CountsItsWordsAndNumbersThemByFrequency) {
  PlantedCorpus planted;
  planted.sentences = 1000;
  const Corpus corpus = generate_planted_corpus(planted).corpus;
  std::vector<std::uint64_t> counts(corpus.words.size(), 0);
  std::size_t begins = 0;
  for (const Token token : corpus.tokens) {
    ++counts[token.word()];
    begins += token.begins() ? 1 : 0;
  }
  EXPECT_EQ(counts, corpus.counts);
  EXPECT_TRUE(std::ranges::is_sorted(counts, std::greater{}));
  EXPECT_EQ(begins, 1000U);
}

TEST(PlantedCorpus, AsksForWhatIsPlanted) {
  const WordTests tests = generate_planted_corpus({}).tests;
  ASSERT_EQ(tests.analogies.size(), 3U);  // of 4 forms, the first with each other
  for (const auto& [a, b, c, d] : tests.analogies[1].questions) {
    EXPECT_EQ(a.substr(0, a.find('_')), b.substr(0, b.find('_')));
    EXPECT_EQ(c.substr(0, c.find('_')), d.substr(0, d.find('_')));
    EXPECT_NE(a, c);
    EXPECT_EQ(a.substr(a.find('_')) + b.substr(b.find('_')), "_0_2");
    EXPECT_EQ(c.substr(c.find('_')) + d.substr(d.find('_')), "_0_2");
  }
  std::vector<double> scores;
  for (const WordPair& pair : tests.similarities) {
    EXPECT_NE(pair.first, pair.second);
    if (std::ranges::find(scores, pair.score) == scores.end()) scores.push_back(pair.score);
  }
  EXPECT_EQ(scores.size(), 3U);  // nothing shared, topic or form, two of thing, topic and form
}

}  // namespace
}  // namespace pslab::data
