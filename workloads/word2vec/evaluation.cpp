#include "workloads/word2vec/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/dot.hpp"

namespace pslab::word2vec {
namespace {

/// Words that are read together.
constexpr std::size_t kPart = 16 * kTile;

/// Reads input vectors and gives them length 1; zeros stay.
class UnitVectors {
 public:
  explicit UnitVectors(const Shared& shared) : shared_(shared) {}

  /// By rank; one after the other, valid until the next call.
  std::span<const float> read(Worker& worker, std::span<const std::uint32_t> ranks) {
    const std::size_t n = shared_.options.dimension;
    keys_.clear();
    for (const std::uint32_t rank : ranks) keys_.push_back(shared_.input(shared_.by_rank[rank]));
    values_.resize(keys_.size() * n);
    worker.pull(keys_, values_);
    for (std::size_t begin = 0; begin < values_.size(); begin += n) {
      const float norm = std::sqrt(dot(values_.data() + begin, values_.data() + begin, n));
      if (norm == 0.0F) continue;
      for (std::size_t k = 0; k < n; ++k) values_[begin + k] /= norm;
    }
    return values_;
  }

 private:
  const Shared& shared_;
  std::vector<Key> keys_;
  std::vector<float> values_;
};

/// A worker's analogies.
class Analogies {
 public:
  Analogies(const Shared& shared, std::span<const AnalogyQuestion> questions)
      : n_(shared.options.dimension),
        questions_(questions),
        queries_(questions.size() * n_),
        scores_(questions.size()),
        right_(questions.size(), true) {}

  void ask(Worker& worker, UnitVectors& vectors) {
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const auto& [a, b, c, d] = questions_[q].ranks;
      const std::span<const float> units = vectors.read(worker, questions_[q].ranks);
      float* query = queries_.data() + q * n_;
      for (std::size_t k = 0; k < n_; ++k) query[k] = units[n_ + k] - units[k] + units[2 * n_ + k];
      scores_[q] = score_one(query, units.data() + 3 * n_, n_);
      right_[q] = d != a && d != b && d != c;  // those are never the answer
      if (!std::isfinite(scores_[q])) ++not_numbers_;
    }
  }

  /// `units`: of the words with ranks from `first` on.
  void compare(std::uint32_t first, std::span<const float> units) {
    const std::size_t count = units.size() / n_;
    for (std::size_t i = 0; i < count; i += kTile) {
      const std::size_t together = std::min(kTile, count - i);
      fill_tile(units.subspan(i * n_, together * n_));
      compare_tile(first + static_cast<std::uint32_t>(i), together);
    }
  }

  void count(Answers& answers) const {
    answers.not_numbers += not_numbers_;
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (right_[q]) ++answers.right[questions_[q].section];
    }
  }

 private:
  void fill_tile(std::span<const float> units) {
    tile_.assign(kTile * n_, 0.0F);
    for (std::size_t i = 0; i < units.size() / n_; ++i) {
      for (std::size_t k = 0; k < n_; ++k) tile_[k * kTile + i] = units[i * n_ + k];
    }
  }

  void compare_tile(std::uint32_t first, std::size_t count) {
    std::array<float, kTile> scores;
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (!right_[q]) continue;  // another word is nearer
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

  std::size_t n_;
  std::span<const AnalogyQuestion> questions_;
  std::vector<float> queries_;
  std::vector<float> scores_;  ///< of the right answers
  std::vector<bool> right_;    ///< as far as is known
  std::vector<float> tile_;
  std::uint64_t not_numbers_ = 0;
};

void answer_analogies(const Shared& shared, Worker& worker, UnitVectors& vectors,
                      Answers& answers) {
  const auto& all = shared.questions.analogies;
  const std::size_t begin = all.size() * worker.id() / worker.num_workers();
  const std::size_t end = all.size() * (worker.id() + 1) / worker.num_workers();
  if (begin == end) return;
  Analogies analogies(shared, std::span(all).subspan(begin, end - begin));
  analogies.ask(worker, vectors);
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t first = 0; first < shared.questions.candidates; first += kPart) {
    ranks.resize(std::min<std::size_t>(kPart, shared.questions.candidates - first));
    std::iota(ranks.begin(), ranks.end(), first);
    analogies.compare(first, vectors.read(worker, ranks));
  }
  analogies.count(answers);
}

void answer_similarities(const Shared& shared, Worker& worker, UnitVectors& vectors,
                         Answers& answers) {
  const std::size_t n = shared.options.dimension;
  std::vector<double> cosines;
  std::vector<double> scores;
  for (const SimilarityQuestion& question : shared.questions.similarities) {
    const std::span<const float> units =
        vectors.read(worker, std::array{question.first, question.second});
    cosines.push_back(double{dot(units.data(), units.data() + n, n)});
    scores.push_back(question.score);
    if (!std::isfinite(cosines.back())) ++answers.not_numbers;
  }
  if (answers.not_numbers == 0) answers.spearman = spearman(cosines, scores);
}

/// Ranks from 1; the mean of them where values are the same.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double mean = static_cast<double>(begin + 1 + end) / 2.0;
    for (; begin < end; ++begin) ranks[order[begin]] = mean;
  }
  return ranks;
}

}  // namespace

double spearman(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = ranks_of(a);
  const std::vector<double> y = ranks_of(b);
  const double mean = (static_cast<double>(x.size()) + 1.0) / 2.0;
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
    xy += (x[i] - mean) * (y[i] - mean);
  }
  return xx == 0.0 || yy == 0.0 ? 0.0 : xy / std::sqrt(xx * yy);
}

Answers answer(const Shared& shared, Worker& worker) {
  Answers answers;
  answers.right.assign(shared.questions.sections.size(), 0);
  UnitVectors vectors(shared);
  answer_analogies(shared, worker, vectors, answers);
  if (worker.id() == 0) answer_similarities(shared, worker, vectors, answers);
  return answers;
}

}  // namespace pslab::word2vec
