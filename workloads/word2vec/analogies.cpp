#include "workloads/word2vec/analogies.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/dot.hpp"

namespace pslab::word2vec {

void Analogies::ask(const AnalogyQuestion& question, std::span<const float> units) {
  const auto& [a, b, c, d] = question.ranks;
  const std::size_t begin = queries_.size();
  for (std::size_t k = 0; k < n_; ++k) {
    queries_.push_back(units[n_ + k] - units[k] + units[2 * n_ + k]);
  }
  questions_.push_back(question);
  scores_.push_back(score_one(queries_.data() + begin, units.data() + 3 * n_, n_));
  right_.push_back(d != a && d != b && d != c);
  if (!std::isfinite(scores_.back())) ++not_numbers_;
}

void Analogies::compare(std::uint32_t first, std::span<const float> units) {
  const std::size_t count = units.size() / n_;
  for (std::size_t i = 0; i < count; i += kTile) {
    const std::size_t together = std::min(kTile, count - i);
    fill_tile(units.subspan(i * n_, together * n_));
    compare_tile(first + static_cast<std::uint32_t>(i), together);
  }
}

void Analogies::fill_tile(std::span<const float> units) {
  tile_.assign(kTile * n_, 0.0F);
  for (std::size_t i = 0; i < units.size() / n_; ++i) {
    for (std::size_t k = 0; k < n_; ++k) tile_[k * kTile + i] = units[i * n_ + k];
  }
}

void Analogies::compare_tile(std::uint32_t first, std::size_t count) {
  std::array<float, kTile> scores;
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    if (!right_[q]) continue;  // another word is as near
    score_tile(queries_.data() + q * n_, tile_.data(), n_, scores.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (scores[i] < scores_[q]) continue;
      const auto rank = first + static_cast<std::uint32_t>(i);
      if (std::ranges::find(questions_[q].ranks, rank) == questions_[q].ranks.end()) {
        right_[q] = false;
      }
    }
  }
}

void make_unit(std::span<float> vectors, std::size_t n) {
  for (std::size_t begin = 0; begin < vectors.size(); begin += n) {
    float* vector = vectors.data() + begin;
    const float norm = std::sqrt(dot(vector, vector, n));
    if (norm == 0.0F) continue;
    for (std::size_t k = 0; k < n; ++k) vector[k] /= norm;
  }
}

}  // namespace pslab::word2vec
