#include "workloads/word2vec/shared.hpp"

#include "config/unused.hpp"

namespace pslab::word2vec {

Options::Options(config::Options& options)
    : cbow(options.choice("model", "skip_gram", {"skip_gram", "cbow"},
                          "predict a word from each word near it, or from their mean") == "cbow"),
      dimension(static_cast<std::size_t>(
          options.integer("dimension", 100, 1, 10'000, "floats", "length of a word's vectors"))),
      window(static_cast<std::uint32_t>(options.integer(
          "window", 5, 1, 1000, "words",
          "most words on each side that count as near; for each centre drawn anew from 1 to "
          "this"))),
      negatives(static_cast<std::size_t>(
          options.integer("negatives", 5, 1, 1000, "samples",
                          "words drawn from the noise distribution for each word that is "
                          "predicted; one that is the word itself is skipped"))),
      noise_exponent(options.real("noise_exponent", 0.75, 0.0, 2.0, "",
                                  "of a word's frequency in the noise distribution")),
      subsample(options.real(
          "subsample", 1e-3, 0.0, 1.0, "",
          "a word whose share f of the text is larger is kept with probability sqrt(this / f) + "
          "this / f each time; 0: all are kept")),
      alpha(options.real("alpha", 0.025, 1e-9, 10.0, "",
                         "learning rate; falls linearly to 1/10000 of it")),
      decay_epochs(
          static_cast<int>(options.integer("decay_epochs", 0, 0, 1'000'000, "epochs",
                                           "over which the learning rate falls; 0: train.epochs"))),
      shuffle(
          options.flag("shuffle", false,
                       "visit each worker's text in parts of about 1000 words, in random order, "
                       "anew in each epoch; false: in the order of the file (word2vec)")),
      by_pair(options.choice(
                  "batch", "pair", {"pair", "centre"},
                  "skip-gram: what is read and pushed together: a pair of centre and context with "
                  "its samples, or all pairs of a centre") == "pair"),
      share_gradient(
          options.choice("cbow_update", "whole", {"whole", "share"},
                         "cbow: each context gets the whole step of their mean, as in the original "
                         "word2vec, or its share of it, as the loss has it") == "share"),
      announce_ahead(options.integer(
          "announce_ahead", -1, -1, 1'000'000, "sentences",
          "announce (Worker::intent, prepare_sample) the accesses of this many sentences ahead of "
          "their use, in groups of as many, or one by one where intents wait until they are due "
          "(adaptive); -1: 4, or 64 where they wait; 0: never announce, and prepare samples when "
          "they are drawn")) {
  config::refuse_unused(options, cbow ? "with model: cbow" : "with model: skip_gram",
                        {cbow ? "batch" : "cbow_update"});
}

EvaluationOptions::EvaluationOptions(config::Options& options)
    : analogies(options.text("analogies", "",
                             "file of questions in the layout of Google's questions-words; empty: "
                             "those of the generator or the named data set")),
      similarities(options.text("similarities", "",
                                "file of pairs of words with scores; empty: those of the "
                                "generator or the named data set")),
      candidates(static_cast<std::uint32_t>(options.integer(
          "words", 30'000, 1, static_cast<std::int64_t>(data::kMaxWords), "words",
          "so many of the most frequent words are candidates; questions with others are "
          "skipped"))),
      semantic_sections(static_cast<std::size_t>(
          options.integer("semantic_sections", 5, 0, 1'000'000, "sections",
                          "so many sections of the analogies are semantic, the rest "
                          "syntactic"))) {}

void EvaluationOptions::check(const config::Options& options,
                              const data::CorpusDataset& dataset) const {
  const bool has_analogies = !analogies.empty() || dataset.has_analogies();
  const bool has_similarities = !similarities.empty() || dataset.has_similarities();
  if (!has_analogies) config::refuse_unused(options, "without analogies", {"semantic_sections"});
  if (!has_analogies && !has_similarities) {
    config::refuse_unused(options, "without analogies and similarities", {"words"});
  }
}

}  // namespace pslab::word2vec
