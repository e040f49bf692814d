// The questions that trained vectors are judged by, in terms of the vocabulary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/word_tests.hpp"

namespace pslab::word2vec {

/// a is to b as c is to d; by rank: position among the words by falling frequency.
struct AnalogyQuestion {
  std::array<std::uint32_t, 4> ranks;
  std::uint32_t section;
};

struct SimilarityQuestion {
  std::uint32_t first;  ///< rank
  std::uint32_t second;
  double score;
};

struct Questions {
  std::uint32_t candidates = 0;  ///< words that may be answers: ranks below this
  std::vector<AnalogyQuestion> analogies;
  std::vector<SimilarityQuestion> similarities;
  std::vector<std::string> sections;  ///< names
  std::vector<std::uint64_t> asked;   ///< questions of each section that are kept
  std::vector<std::string> notes;     ///< for the user: what was skipped
};

/// Finds the words of `tests` among the first `candidates` of `words`, which are sorted by falling
/// frequency. Upper and lower case (ASCII) are the same; of words that are the same then, the most
/// frequent is meant. What has a word that is not found is skipped and counted.
Questions find_questions(const data::WordTests& tests, std::span<const std::string> words,
                         std::uint32_t candidates);

}  // namespace pslab::word2vec
