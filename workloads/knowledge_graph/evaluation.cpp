#include "workloads/knowledge_graph/evaluation.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/dot.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

/// Entities that are read together.
constexpr std::uint32_t kPart = 16 * kTile;

/// The questions of a worker, as vectors whose inner products with entities are their scores.
class Questions {
 public:
  Questions(const Shared& shared, std::span<const Triple> triples)
      : shared_(shared), queries_(2 * triples.size() * shared.options.dimension) {
    rankings_.reserve(2 * triples.size());
  }

  void add(Worker& worker, const Triple& triple) {
    const Options& options = shared_.options;
    const std::array<Key, 3> keys = {triple.subject, shared_.relation_key(triple.relation),
                                     triple.object};
    values_.resize(2 * shared_.entity_floats() + shared_.relation_floats());
    worker.pull(keys, values_);
    const float* s = values_.data();
    const float* r = s + shared_.entity_floats();
    const float* o = r + shared_.relation_floats();
    const std::size_t n = options.dimension;
    float* query = queries_.data() + rankings_.size() * n;
    options.model->object_query(s, r, query, n);
    rankings_.emplace_back(triple.object, score_one(query, o, n),
                           shared_.known.objects(triple.subject, triple.relation));
    query += n;
    options.model->subject_query(r, o, query, n);
    rankings_.emplace_back(triple.subject, score_one(query, s, n),
                           shared_.known.subjects(triple.object, triple.relation));
  }

  /// `values`: of the entities from `first` on.
  void score(std::uint32_t first, std::span<const float> values) {
    const std::size_t length = shared_.entity_floats();
    const std::size_t count = values.size() / length;
    for (std::size_t i = 0; i < count; i += kTile) {
      const std::size_t together = std::min(kTile, count - i);
      fill_tile(values.subspan(i * length, together * length));
      rank_tile(first + static_cast<std::uint32_t>(i), together);
    }
  }

  Evaluation result() const {
    Evaluation evaluation;
    for (const Ranking& ranking : rankings_) {
      evaluation.filtered.add(ranking.filtered_rank());
      evaluation.raw.add(ranking.raw_rank());
      evaluation.not_numbers += static_cast<double>(ranking.not_numbers());
    }
    return evaluation;
  }

 private:
  void fill_tile(std::span<const float> values) {
    const std::size_t n = shared_.options.dimension;
    tile_.assign(kTile * n, 0.0F);
    for (std::size_t i = 0; i < values.size() / shared_.entity_floats(); ++i) {
      const float* entity = values.data() + i * shared_.entity_floats();
      for (std::size_t k = 0; k < n; ++k) tile_[k * kTile + i] = entity[k];
    }
  }

  void rank_tile(std::uint32_t first, std::size_t count) {
    std::array<float, kTile> scores;
    const float* query = queries_.data();
    for (Ranking& ranking : rankings_) {
      score_tile(query, tile_.data(), shared_.options.dimension, scores.data());
      ranking.add(first, std::span(scores).first(count));
      query += shared_.options.dimension;
    }
  }

  const Shared& shared_;
  std::vector<float> queries_;
  std::vector<Ranking> rankings_;
  std::vector<float> values_;
  std::vector<float> tile_;
};

}  // namespace

Evaluation evaluate(const Shared& shared, Worker& worker) {
  const std::size_t begin = shared.test.size() * worker.id() / worker.num_workers();
  const std::size_t end = shared.test.size() * (worker.id() + 1) / worker.num_workers();
  if (begin == end) return {};
  const std::span<const Triple> triples = std::span(shared.test).subspan(begin, end - begin);
  Questions questions(shared, triples);
  for (const Triple& triple : triples) questions.add(worker, triple);
  std::vector<Key> keys;
  std::vector<float> values;
  for (std::uint32_t first = 0; first < shared.entities; first += kPart) {
    keys.resize(std::min(kPart, shared.entities - first));
    std::iota(keys.begin(), keys.end(), Key{first});
    values.resize(keys.size() * shared.entity_floats());
    worker.pull(keys, values);
    questions.score(first, values);
  }
  return questions.result();
}

}  // namespace pslab::kge
