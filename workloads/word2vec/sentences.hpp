// A worker's sentences, a group at a time, with what is random about them decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/corpus.hpp"
#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

/// Sentences after subsampling, without those that are shorter than two words.
struct Sentences {
  std::vector<std::uint32_t> words;  ///< of all sentences
  std::vector<std::uint32_t> reach;  ///< of each word: its contexts are so far away at most
  std::vector<std::size_t> ends;     ///< of each sentence: position behind its last word
  std::size_t pairs = 0;             ///< of a word and a context
  double alpha = 0.0;                ///< learning rate
};

/// Positions of the contexts of a word: those from `begin` to `end` - 1 but its own.
struct Context {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin - 1; }
};

class SentenceReader {
 public:
  /// Reads `tokens`, sentences of `shared`, in the given epoch.
  SentenceReader(const Shared& shared, std::span<const data::Token> tokens, int epoch,
                 Random subsampling, Random windows)
      : shared_(shared),
        tokens_(tokens),
        epoch_(epoch),
        subsampling_(subsampling),
        windows_(windows) {}

  /// The next `count` sentences, fewer at the end; none: the end.
  void read(Sentences& group, std::size_t count);

 private:
  void read_sentence(Sentences& group);
  void choose_windows(Sentences& group, std::size_t begin);
  double alpha() const;

  const Shared& shared_;
  std::span<const data::Token> tokens_;
  int epoch_;
  Random subsampling_;
  Random windows_;
  std::size_t next_ = 0;  ///< token
};

/// The contexts of the word at `position` in a sentence of the words `begin` to `end` - 1.
inline Context context_of(std::size_t position, std::size_t reach, std::size_t begin,
                          std::size_t end) {
  return {position - begin > reach ? position - reach : begin,
          end - position > reach ? position + reach + 1 : end};
}

/// In 32 random bits: a word with `share` of the text is kept for bits below this.
std::uint64_t keep_threshold(double share, double subsample);

/// Expected number of contexts of a word in a sentence of `length` words, a fraction perhaps.
double expected_contexts(double length, std::uint32_t window);

}  // namespace pslab::word2vec
