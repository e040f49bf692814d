// The options of word2vec, and what all workers of a process share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "base/alias_table.hpp"
#include "base/random.hpp"
#include "config/options.hpp"
#include "data/corpus_dataset.hpp"
#include "workloads/word2vec/sigmoid.hpp"
#include "workloads/word2vec/word_questions.hpp"

namespace pslab::word2vec {

/// How vectors are judged.
struct EvaluationOptions {
  std::string analogies;
  std::string similarities;
  std::uint32_t candidates;
  std::size_t semantic_sections;

  explicit EvaluationOptions(config::Options& options);

  /// Refuses those that have no effect on this text.
  void check(const config::Options& options, const data::CorpusDataset& dataset) const;
};

struct Options {
  bool cbow;
  std::size_t dimension;
  std::uint32_t window;
  std::size_t negatives;
  double noise_exponent;
  double subsample;
  double alpha;
  int decay_epochs;
  bool shuffle;
  bool by_pair;
  bool share_gradient;
  std::int64_t announce_ahead;

  explicit Options(config::Options& options);

  /// Centres are trained on one context at a time.
  bool pairwise() const { return by_pair && !cbow; }
};

/// What all workers of a process share. Words have numbers in random order, by which keys go: the
/// input vectors of all words, then the output vectors.
struct Shared {
  explicit Shared(config::Options& given) : Shared(Options(given), given) {}

  Options options;
  EvaluationOptions evaluation;
  data::CorpusDataset dataset;
  std::uint64_t seed = 0;
  WorkerId workers = 1;
  double epochs = 1.0;  ///< over which alpha decays
  std::vector<std::string> words;
  std::vector<std::uint32_t> by_rank;  ///< words by falling frequency
  std::vector<data::Token> tokens;
  std::vector<std::uint64_t> keep;  ///< of each word: it is kept for 32 random bits below this
  std::optional<AliasTable> noise;
  Sigmoid sigmoid;
  Questions questions;

  Key input(std::uint32_t word) const { return word; }
  Key output(std::uint32_t word) const { return words.size() + word; }

  /// The sentences of workers `begin` to `end` - 1.
  std::span<const data::Token> share(WorkerId begin, WorkerId end) const {
    return data::sentences(tokens, tokens.size() * begin / workers, tokens.size() * end / workers);
  }

 private:
  // One after the other, in the order in which options are listed.
  Shared(const Options& read, config::Options& given)
      : Shared(read, given, given.group("evaluation", "how vectors are judged")) {}
  Shared(const Options& read, config::Options& given, config::Options& judging)
      : options(read),
        evaluation(judging),
        dataset(given.group("dataset", "the text: one of generator, name, file, folder")) {
    evaluation.check(judging, dataset);
  }
};

}  // namespace pslab::word2vec
