// Which analogies are answered rightly, given the vectors of all candidates.
//
// a : b = c : d is answered by the candidate whose cosine with b - a + c (unit vectors) is largest,
// a, b and c left out (Mikolov et al., NAACL 2013). That is right when it is d alone: where another
// candidate has the same score, or d is one of a, b, c, the answer is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/word2vec/word_questions.hpp"

namespace pslab::word2vec {

class Analogies {
 public:
  /// Of unit vectors of n floats.
  explicit Analogies(std::size_t n) : n_(n) {}

  /// `units`: those of a, b, c, d.
  void ask(const AnalogyQuestion& question, std::span<const float> units);
  /// Of the candidates with ranks from `first` on. All must come, after all questions.
  void compare(std::uint32_t first, std::span<const float> units);

  /// Of each question.
  const std::vector<bool>& right() const { return right_; }
  /// Questions whose score is no finite number.
  std::uint64_t not_numbers() const { return not_numbers_; }

 private:
  void fill_tile(std::span<const float> units);
  void compare_tile(std::uint32_t first, std::size_t count);

  std::size_t n_;
  std::vector<AnalogyQuestion> questions_;
  std::vector<float> queries_;
  std::vector<float> scores_;  ///< of d
  std::vector<bool> right_;    ///< as far as is known
  std::vector<float> tile_;
  std::uint64_t not_numbers_ = 0;
};

/// Gives each vector of n floats length 1; zeros stay.
void make_unit(std::span<float> vectors, std::size_t n);

}  // namespace pslab::word2vec
