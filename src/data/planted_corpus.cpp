#include "data/planted_corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "base/zipf.hpp"

namespace pslab::data {
namespace {

constexpr std::uint32_t kThingWords = 3;  ///< that go with a thing
constexpr std::uint32_t kTopicWords = 10;
constexpr std::uint32_t kFormWords = 10;
constexpr std::uint32_t kNoiseWords = 300;
constexpr std::uint32_t kShortest = 8;  ///< sentence
constexpr std::uint32_t kLongest = 20;
/// Shares of the words that are no noise; the rest go with the form.
constexpr double kName = 0.25;
constexpr double kThing = 0.25;
constexpr double kTopic = 0.25;
constexpr std::uint32_t kQuestionsPerSection = 100;
constexpr std::uint32_t kPairs = 400;

/// Words are numbered: names, then what goes with things, topics and forms, then the others.
class Words {
 public:
  explicit Words(const PlantedCorpus& planted)
      : forms_(planted.forms),
        items_(planted.items),
        things_(planted.topics * planted.items),
        topics_(planted.topics) {}

  std::uint32_t things() const { return things_; }
  std::uint32_t topic_of(std::uint32_t thing) const { return thing / items_; }
  std::uint32_t name(std::uint32_t thing, std::uint32_t form) const {
    return thing * forms_ + form;
  }
  std::uint32_t of_thing(std::uint32_t thing, std::uint64_t i) const {
    return first_of_thing() + thing * kThingWords + static_cast<std::uint32_t>(i);
  }
  std::uint32_t of_topic(std::uint32_t topic, std::uint64_t i) const {
    return first_of_topic() + topic * kTopicWords + static_cast<std::uint32_t>(i);
  }
  std::uint32_t of_form(std::uint32_t form, std::uint64_t i) const {
    return first_of_form() + form * kFormWords + static_cast<std::uint32_t>(i);
  }
  std::uint32_t noise(std::uint64_t i) const {
    return first_of_noise() + static_cast<std::uint32_t>(i);
  }
  std::uint32_t size() const { return first_of_noise() + kNoiseWords; }

  std::string text(std::uint32_t word) const {
    if (word >= first_of_noise()) return fmt::format("any{}", word - first_of_noise());
    if (word >= first_of_form()) return part("form", word - first_of_form(), kFormWords);
    if (word >= first_of_topic()) return part("topic", word - first_of_topic(), kTopicWords);
    if (word >= first_of_thing()) return part("with", word - first_of_thing(), kThingWords);
    return fmt::format("name{}_{}", word / forms_, word % forms_);
  }

 private:
  static std::string part(const char* kind, std::uint32_t number, std::uint32_t each) {
    return fmt::format("{}{}_{}", kind, number / each, number % each);
  }
  std::uint32_t first_of_thing() const { return things_ * forms_; }
  std::uint32_t first_of_topic() const { return first_of_thing() + things_ * kThingWords; }
  std::uint32_t first_of_form() const { return first_of_topic() + topics_ * kTopicWords; }
  std::uint32_t first_of_noise() const { return first_of_form() + forms_ * kFormWords; }

  std::uint32_t forms_;
  std::uint32_t items_;
  std::uint32_t things_;
  std::uint32_t topics_;
};

/// Tokens in the numbers of Words.
std::vector<Token> draw_tokens(const PlantedCorpus& planted, const Words& words) {
  Random random(planted.seed, "planted_corpus.tokens");
  const Zipf things(words.things(), planted.zipf);
  const Zipf noise(kNoiseWords, planted.zipf);
  std::vector<Token> tokens;
  for (std::uint64_t sentence = 0; sentence < planted.sentences; ++sentence) {
    const auto thing = static_cast<std::uint32_t>(things.draw(random));
    const auto form = static_cast<std::uint32_t>(random.below(planted.forms));
    const auto length = kShortest + random.below(kLongest - kShortest + 1);
    for (std::uint64_t i = 0; i < length; ++i) {
      const double kind = random.uniform();
      std::uint32_t word = 0;
      if (random.uniform() < planted.noise) {
        word = words.noise(noise.draw(random));
      } else if (kind < kName) {
        word = words.name(thing, form);
      } else if (kind < kName + kThing) {
        word = words.of_thing(thing, random.below(kThingWords));
      } else if (kind < kName + kThing + kTopic) {
        word = words.of_topic(words.topic_of(thing), random.below(kTopicWords));
      } else {
        word = words.of_form(form, random.below(kFormWords));
      }
      tokens.emplace_back(word, i == 0);
    }
  }
  return tokens;
}

/// Numbers the words that occur as a Corpus has them.
Corpus as_corpus(const Words& words, const std::vector<Token>& tokens) {
  std::vector<std::uint64_t> counts(words.size(), 0);
  for (const Token token : tokens) ++counts[token.word()];
  std::vector<std::pair<std::string, std::uint32_t>> order;
  for (std::uint32_t word = 0; word < words.size(); ++word) {
    if (counts[word] != 0) order.emplace_back(words.text(word), word);
  }
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    const std::uint64_t x = counts[a.second];
    const std::uint64_t y = counts[b.second];
    return x != y ? x > y : a.first < b.first;
  });
  Corpus corpus;
  std::vector<std::uint32_t> number(words.size());
  for (auto& [text, word] : order) {
    number[word] = static_cast<std::uint32_t>(corpus.words.size());
    corpus.words.push_back(std::move(text));
    corpus.counts.push_back(counts[word]);
  }
  corpus.tokens.reserve(tokens.size());
  for (const Token token : tokens) {
    corpus.tokens.emplace_back(number[token.word()], token.begins());
  }
  return corpus;
}

/// A section for each form other than the first: what that is to the first.
std::vector<AnalogySection> draw_analogies(const PlantedCorpus& planted, const Words& words) {
  Random random(planted.seed, "planted_corpus.analogies");
  std::vector<AnalogySection> sections;
  for (std::uint32_t form = 1; form < planted.forms; ++form) {
    AnalogySection section{fmt::format("form{}", form), {}};
    while (section.questions.size() < kQuestionsPerSection) {
      const auto a = static_cast<std::uint32_t>(random.below(words.things()));
      const auto b = static_cast<std::uint32_t>(random.below(words.things()));
      if (a == b) continue;
      section.questions.push_back({words.text(words.name(a, 0)), words.text(words.name(a, form)),
                                   words.text(words.name(b, 0)), words.text(words.name(b, form))});
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

/// Pairs of names that share thing, topic or form as often as not.
std::vector<WordPair> draw_similarities(const PlantedCorpus& planted, const Words& words) {
  Random random(planted.seed, "planted_corpus.similarities");
  std::vector<WordPair> pairs;
  while (pairs.size() < kPairs) {
    const auto thing = static_cast<std::uint32_t>(random.below(words.things()));
    const auto form = static_cast<std::uint32_t>(random.below(planted.forms));
    std::uint32_t other = thing;
    const std::uint64_t kind = random.below(3);
    if (kind == 1) {
      other = words.topic_of(thing) * planted.items +
              static_cast<std::uint32_t>(random.below(planted.items));
    } else if (kind == 2) {
      other = static_cast<std::uint32_t>(random.below(words.things()));
    }
    const auto other_form =
        static_cast<std::uint32_t>(random.below(2) == 0 ? form : random.below(planted.forms));
    if (other == thing && other_form == form) continue;
    const double shared = (other == thing ? kThing : 0.0) +
                          (words.topic_of(other) == words.topic_of(thing) ? kTopic : 0.0) +
                          (other_form == form ? 1.0 - kName - kThing - kTopic : 0.0);
    pairs.push_back(
        {words.text(words.name(thing, form)), words.text(words.name(other, other_form)), shared});
  }
  return pairs;
}

}  // namespace

PlantedCorpus::PlantedCorpus(config::Options& options) {
  const auto number = [&](const char* name, std::uint32_t initial, std::int64_t least,
                          const char* help) {
    return static_cast<std::uint32_t>(options.integer(name, initial, least, 100'000, "", help));
  };
  topics = number("topics", topics, 1, "topics of the generated text");
  items = number("items", items, 2, "things of each topic");
  forms = number("forms", forms, 2, "forms of each thing's name: what analogies are about");
  sentences = static_cast<std::uint64_t>(
      options.integer("sentences", static_cast<std::int64_t>(sentences), 1, 1'000'000'000,
                      "sentences", "generated sentences, of 8 to 20 words"));
  zipf = options.real("zipf", zipf, 0.0, 3.0, "",
                      "exponent of the Zipf law of things, and of words that mean nothing");
  noise = options.real("noise", noise, 0.0, 1.0, "", "share of words that mean nothing");
  seed = static_cast<std::uint64_t>(
      options.integer("seed", 1, 0, std::int64_t{1} << 53, "", "seed of the generated text"));
}

std::string PlantedCorpus::describe() const {
  return fmt::format(
      "generated text, {} topics x {} things in {} forms, {} sentences, zipf {}, noise {}, seed {}",
      topics, items, forms, sentences, shortest(zipf), shortest(noise), seed);
}

PlantedText generate_planted_corpus(const PlantedCorpus& planted) {
  const Words words(planted);
  PlantedText text;
  text.corpus = as_corpus(words, draw_tokens(planted, words));
  text.corpus.notes.push_back(planted.describe());
  text.tests.analogies = draw_analogies(planted, words);
  text.tests.similarities = draw_similarities(planted, words);
  return text;
}

}  // namespace pslab::data
