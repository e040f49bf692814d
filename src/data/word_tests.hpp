// Questions about words, which trained vectors should answer.
//
// Analogies, in the layout of Google's questions-words: lines of four words "a b c d" (a is to b as
// c is to d), in sections, each after a line ": name". Similarities: lines of two words and a score
// given by people or by a taxonomy, separated by blanks or a tab.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace pslab::data {

struct AnalogySection {
  std::string name;
  std::vector<std::array<std::string, 4>> questions;
};

struct WordPair {
  std::string first;
  std::string second;
  double score = 0.0;
};

struct WordTests {
  std::vector<AnalogySection> analogies;
  std::vector<WordPair> similarities;
};

/// InputError with file and line for what is not as above, and for a file without a question.
std::vector<AnalogySection> read_analogies(const std::string& path);
std::vector<WordPair> read_similarities(const std::string& path);

}  // namespace pslab::data
