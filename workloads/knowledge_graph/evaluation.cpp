#include "workloads/knowledge_graph/evaluation.hpp"

#include <algorithm>
#include <numeric>

#include "workloads/knowledge_graph/tile.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

/// Entities that are read together.
constexpr std::uint32_t kPart = 16 * kTile;
/// Triples that are ranked together: what bounds the memory.
constexpr std::size_t kTriples = 4096;

/// The questions of some triples, as vectors that are compared with entities.
class Questions {
 public:
  Questions(const Shared& shared, const HeldOut& held_out, std::size_t triples)
      : shared_(shared),
        held_out_(held_out),
        model_(*shared.options.model),
        dimension_(shared.options.dimension),
        queries_(2 * triples * dimension_) {
    rankings_.reserve(2 * triples);
  }

  void add(Worker& worker, const Triple& triple) {
    const std::array<Key, 3> keys = {triple.subject, shared_.relation_key(triple.relation),
                                     triple.object};
    values_.resize(2 * shared_.entity_floats() + shared_.relation_floats());
    worker.pull(keys, values_);
    const float* s = values_.data();
    const float* r = s + shared_.entity_floats();
    const float* o = r + shared_.relation_floats();
    add(model_.object, s, r, triple.object, o,
        held_out_.known.objects(triple.subject, triple.relation));
    add(model_.subject, o, r, triple.subject, s,
        held_out_.known.subjects(triple.object, triple.relation));
  }

  /// `values`: of the entities from `first` on.
  void score(std::uint32_t first, std::span<const float> values) {
    const std::size_t length = shared_.entity_floats();
    const std::size_t count = values.size() / length;
    for (std::size_t i = 0; i < count; i += kTile) {
      const std::size_t together = std::min(kTile, count - i);
      fill_tile(values.data() + i * length, together, length, dimension_, tile_);
      rank_tile(first + static_cast<std::uint32_t>(i), together);
    }
  }

  void add_ranks(Evaluation& evaluation) const {
    const Ties ties = shared_.options.evaluation.ties;
    for (std::size_t i = 0; i < rankings_.size(); ++i) {
      evaluation.sides[i % 2].filtered.add(rankings_[i].filtered_rank(ties));
      evaluation.sides[i % 2].raw.add(rankings_[i].raw_rank(ties));
      evaluation.not_numbers += static_cast<double>(rankings_[i].not_numbers());
    }
  }

 private:
  void add(const Model::Side& side, const float* entity, const float* relation,
           std::uint32_t answer, const float* answer_value, std::span<const Triple> known) {
    float* query = queries_.data() + rankings_.size() * dimension_;
    side.query(entity, relation, query, dimension_);
    // As all others are scored: two ways of adding up would make ties better or worse.
    fill_tile(answer_value, 1, dimension_, dimension_, tile_);
    std::array<float, kTile> scores;
    model_.comparison.score_tile(query, tile_.data(), dimension_, scores.data());
    rankings_.emplace_back(answer, scores[0], known);
  }

  void rank_tile(std::uint32_t first, std::size_t count) {
    std::array<float, kTile> scores;
    const float* query = queries_.data();
    for (Ranking& ranking : rankings_) {
      model_.comparison.score_tile(query, tile_.data(), dimension_, scores.data());
      ranking.add(first, std::span(scores).first(count));
      query += dimension_;
    }
  }

  const Shared& shared_;
  const HeldOut& held_out_;
  const Model& model_;
  const std::size_t dimension_;
  std::vector<float> queries_;
  std::vector<Ranking> rankings_;
  std::vector<float> values_;
  std::vector<float> tile_;
};

void rank(const Shared& shared, const HeldOut& held_out, std::span<const Triple> triples,
          Worker& worker, Evaluation& evaluation) {
  Questions questions(shared, held_out, triples.size());
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
  questions.add_ranks(evaluation);
}

}  // namespace

Evaluation evaluate(const Shared& shared, const HeldOut& held_out, Worker& worker) {
  const std::span<const Triple> all = held_out.triples;
  const std::size_t begin = all.size() * worker.id() / worker.num_workers();
  const std::size_t end = all.size() * (worker.id() + 1) / worker.num_workers();
  Evaluation evaluation;
  for (std::size_t i = begin; i < end; i += kTriples) {
    rank(shared, held_out, all.subspan(i, std::min(kTriples, end - i)), worker, evaluation);
  }
  return evaluation;
}

}  // namespace pslab::kge
