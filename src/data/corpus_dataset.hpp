// The `dataset:` map of a word2vec config.
//
//   dataset: {generator: planted_corpus, topics: 20, sentences: 20000}
//   dataset: {file: my/text.txt.gz, min_count: 5}
//   dataset: {folder: my/shards}
//   dataset: {name: text-dict}
#pragma once

#include <string>

#include "config/options.hpp"
#include "data/corpus.hpp"
#include "data/corpus_reader.hpp"
#include "data/fetch_steps.hpp"
#include "data/planted_corpus.hpp"

namespace pslab::data {

class CorpusDataset {
 public:
  /// Only reads options (no file is touched). One of `generator`, `name`, `file` and `folder`
  /// counts; with none of them it is the generator. Options of the others must be left at their
  /// defaults.
  explicit CorpusDataset(config::Options& options);

  /// Whether the text comes with such tests of its own.
  bool has_analogies() const;
  bool has_similarities() const;

  /// Fetches, reads or generates the text. The tests are those that the generator or the set of the
  /// catalog has, else empty. Throws InputError.
  PlantedText load(const std::string& root, const Say& say = {}) const;

 private:
  bool has_file(const char* file) const;

  std::string name_;
  std::string file_;
  std::string folder_;
  CorpusReading reading_;
  bool generated_;
  PlantedCorpus planted_;
};

}  // namespace pslab::data
