// The options of the knowledge-graph workload, and what all workers of a process share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/key_space.hpp"
#include "config/options.hpp"
#include "data/triples_dataset.hpp"
#include "workloads/knowledge_graph/known_answers.hpp"
#include "workloads/knowledge_graph/loss.hpp"
#include "workloads/knowledge_graph/models.hpp"

namespace pslab::kge {

struct Options {
  const Model* model;
  std::size_t dimension;
  std::size_t negatives;
  Loss loss;
  double rate;
  double l2;
  double initial_range;
  double initial_sum;
  std::int64_t announce_ahead;

  explicit Options(config::Options& options);

  std::size_t relation_length() const { return model->relation_length(dimension); }
};

/// What all workers of a process share. Its key space: a value per entity, then one per relation;
/// each an embedding, and behind it AdaGrad's sums of squared gradients.
struct Shared {
  explicit Shared(config::Options& given)
      : options(given),
        dataset(given.group("dataset", "the knowledge graph: one of generator, folder")) {}

  Options options;
  data::TriplesDataset dataset;
  std::uint64_t seed = 0;
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::vector<data::Triple> train;  ///< in random order; each worker has a slice
  std::vector<data::Triple> test;
  KnownAnswers known;

  Key relation_key(std::uint32_t relation) const { return Key{entities} + relation; }
  std::size_t entity_floats() const { return 2 * options.dimension; }
  std::size_t relation_floats() const { return 2 * options.relation_length(); }
};

}  // namespace pslab::kge
