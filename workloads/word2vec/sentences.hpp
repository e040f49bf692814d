// A worker's sentences, a group at a time, with what is random about them decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/permutation.hpp"
#include "base/random.hpp"
#include "data/corpus.hpp"
#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

/// Sentences after subsampling, without those that are shorter than two words.
struct Sentences {
  std::vector<std::uint32_t> words;  ///< of all sentences
  std::vector<std::uint32_t> reach;  ///< of each word: its contexts are so far away at most
  std::vector<std::size_t> ends;     ///< of each sentence: position behind its last word
  std::vector<std::size_t> pairs;    ///< of words and contexts up to the end of each sentence
  double alpha = 0.0;                ///< learning rate
};

/// Positions of the contexts of a word: those from `begin` to `end` - 1 but its own.
struct Context {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin - 1; }
};

/// What is random about an epoch of a worker.
struct Draws {
  Random subsampling;
  Random windows;
  Random order;
};

class SentenceReader {
 public:
  /// Reads `tokens`, sentences of `shared`, in the given epoch.
  SentenceReader(const Shared& shared, std::span<const data::Token> tokens, int epoch,
                 const Draws& draws);

  /// The next `count` sentences, fewer at the end; none: the end.
  void read(Sentences& group, std::size_t count);

 private:
  bool find_sentence();
  void read_sentence(Sentences& group);
  std::size_t choose_windows(Sentences& group, std::size_t begin);
  double alpha() const;

  const Shared& shared_;
  std::span<const data::Token> tokens_;
  int epoch_;
  Random subsampling_;
  Random windows_;
  Permutation order_;                  ///< of the parts of the text
  std::size_t next_part_ = 0;          ///< its place in the order
  std::span<const data::Token> part_;  ///< what is left of the current one
  std::size_t done_ = 0;               ///< tokens
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
