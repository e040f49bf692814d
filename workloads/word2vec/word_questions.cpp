#include "workloads/word2vec/word_questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace pslab::word2vec {
namespace {

std::string folded(std::string word) {
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

class Finder {
 public:
  explicit Finder(std::span<const std::string> words) {
    for (std::uint32_t rank = 0; rank < words.size(); ++rank) {
      ranks_.emplace(folded(words[rank]), rank);
    }
  }
  /// The words' ranks, if all are known.
  template <std::size_t kWords>
  std::optional<std::array<std::uint32_t, kWords>> find(
      const std::array<std::string, kWords>& words) const {
    std::array<std::uint32_t, kWords> ranks;
    for (std::size_t i = 0; i < kWords; ++i) {
      const auto found = ranks_.find(folded(words[i]));
      if (found == ranks_.end()) return std::nullopt;
      ranks[i] = found->second;
    }
    return ranks;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> ranks_;
};

}  // namespace

Questions find_questions(const data::WordTests& tests, std::span<const std::string> words,
                         std::uint32_t candidates) {
  Questions questions;
  questions.candidates = std::min(candidates, static_cast<std::uint32_t>(words.size()));
  const Finder finder(words.first(questions.candidates));
  std::uint64_t total = 0;
  std::string skipped;
  for (const data::AnalogySection& section : tests.analogies) {
    const auto number = static_cast<std::uint32_t>(questions.sections.size());
    questions.sections.push_back(section.name);
    questions.asked.push_back(0);
    for (const auto& question : section.questions) {
      if (const auto ranks = finder.find(question)) {
        questions.analogies.push_back({*ranks, number});
        ++questions.asked.back();
      }
    }
    total += section.questions.size();
    skipped += fmt::format("{} {} {}/{}", number == 0 ? ":" : ",", section.name,
                           questions.asked.back(), section.questions.size());
  }
  if (total != 0) {
    questions.notes.push_back(fmt::format(
        "analogies: {} questions, {} skipped because a word is not among the {} most frequent; "
        "asked by section{}",
        total, total - questions.analogies.size(), questions.candidates, skipped));
  }
  for (const data::WordPair& pair : tests.similarities) {
    if (const auto ranks = finder.find(std::array{pair.first, pair.second})) {
      questions.similarities.push_back({(*ranks)[0], (*ranks)[1], pair.score});
    }
  }
  if (!tests.similarities.empty()) {
    questions.notes.push_back(
        fmt::format("similarities: {} pairs, {} skipped likewise", tests.similarities.size(),
                    tests.similarities.size() - questions.similarities.size()));
  }
  return questions;
}

}  // namespace pslab::word2vec
