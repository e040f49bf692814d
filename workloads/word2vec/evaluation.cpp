#include "workloads/word2vec/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/dot.hpp"
#include "workloads/word2vec/analogies.hpp"

namespace pslab::word2vec {
namespace {

/// Words that are read together.
constexpr std::size_t kPart = 16 * kTile;

/// Reads input vectors, with length 1.
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
    make_unit(values_, n);
    return values_;
  }

 private:
  const Shared& shared_;
  std::vector<Key> keys_;
  std::vector<float> values_;
};

void answer_analogies(const Shared& shared, Worker& worker, UnitVectors& vectors,
                      Answers& answers) {
  const auto& all = shared.questions.analogies;
  const std::size_t begin = all.size() * worker.id() / worker.num_workers();
  const std::size_t end = all.size() * (worker.id() + 1) / worker.num_workers();
  if (begin == end) return;
  const auto questions = std::span(all).subspan(begin, end - begin);
  Analogies analogies(shared.options.dimension);
  for (const AnalogyQuestion& question : questions) {
    analogies.ask(question, vectors.read(worker, question.ranks));
  }
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t first = 0; first < shared.questions.candidates; first += kPart) {
    ranks.resize(std::min<std::size_t>(kPart, shared.questions.candidates - first));
    std::iota(ranks.begin(), ranks.end(), first);
    analogies.compare(first, vectors.read(worker, ranks));
  }
  answers.not_numbers += analogies.not_numbers();
  for (std::size_t q = 0; q < questions.size(); ++q) {
    if (analogies.right()[q]) ++answers.right[questions[q].section];
  }
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
  if (answers.not_numbers == 0) {
    answers.spearman = spearman(cosines, scores).value_or(std::numeric_limits<double>::quiet_NaN());
  }
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

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
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
  if (xx == 0.0 || yy == 0.0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
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
