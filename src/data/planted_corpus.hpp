// Generated text in which word vectors have something to find: topics, and analogies.
//
// There are topics * items things, each of one topic and with a name in every one of `forms` forms.
// A sentence is about one thing (Zipf's law over things) in one form. Each of its words is, by
// fixed shares, the thing's name in that form, or one of the words that go with the thing, with its
// topic, or with the form; or, with probability `noise`, any word of Zipf's law over words of their
// own. So what goes with a name is a sum over thing, topic and form, and name(a, f) : name(a, g) is
// as name(b, f) : name(b, g). The similarity of two names is the share of what goes with both.
#pragma once

#include <cstdint>
#include <string>

#include "config/options.hpp"
#include "data/corpus.hpp"
#include "data/word_tests.hpp"

namespace pslab::data {

struct PlantedCorpus {
  std::uint32_t topics = 20;
  std::uint32_t items = 10;  ///< of each topic
  std::uint32_t forms = 4;
  std::uint64_t sentences = 20'000;
  double zipf = 0.7;  ///< exponent over things, and over words that mean nothing
  double noise = 0.15;
  std::uint64_t seed = 1;

  PlantedCorpus() = default;
  explicit PlantedCorpus(config::Options& options);

  /// Parameters in one line.
  std::string describe() const;
};

struct PlantedText {
  Corpus corpus;
  WordTests tests;
};

PlantedText generate_planted_corpus(const PlantedCorpus& planted);

}  // namespace pslab::data
