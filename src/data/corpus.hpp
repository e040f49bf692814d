// A text as numbers of words: what word embeddings train on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace pslab::data {

/// Two keys per word.
inline constexpr std::uint64_t kMaxWords = kMaxKeys / 2;
/// Longer sentences are split, as in the original word2vec.
inline constexpr std::size_t kMaxSentence = 1000;

/// A word of the text: its number, and whether a sentence begins with it.
class Token {
 public:
  Token(std::uint32_t word, bool begins) : bits_(word | (begins ? kBegins : 0)) {}
  std::uint32_t word() const { return bits_ & ~kBegins; }
  bool begins() const { return (bits_ & kBegins) != 0; }
  bool operator==(const Token&) const = default;

 private:
  static constexpr std::uint32_t kBegins = std::uint32_t{1} << 31;
  std::uint32_t bits_;
};

struct Corpus {
  std::vector<std::string> words;     ///< by falling frequency, then by their bytes
  std::vector<std::uint64_t> counts;  ///< tokens of each word
  std::vector<Token> tokens;          ///< sentences have 1 .. kMaxSentence of them
  std::vector<std::string> notes;     ///< sentences for the user: what was kept, skipped, split
};

/// The sentences that begin among the tokens number `begin` to `end` - 1, as one range:
/// neighbouring ranges of tokens give neighbouring ranges of sentences.
std::span<const Token> sentences(std::span<const Token> tokens, std::size_t begin, std::size_t end);

/// Calls `visit(std::span<const Token>)` for each sentence.
template <typename Visit>
void for_each_sentence(std::span<const Token> tokens, Visit visit) {
  for (std::size_t first = 0; first < tokens.size();) {
    std::size_t last = first + 1;
    while (last < tokens.size() && !tokens[last].begins()) ++last;
    visit(tokens.subspan(first, last - first));
    first = last;
  }
}

}  // namespace pslab::data
