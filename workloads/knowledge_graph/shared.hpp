// What all workers of a process share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "data/triples_dataset.hpp"
#include "workloads/knowledge_graph/known_answers.hpp"
#include "workloads/knowledge_graph/options.hpp"

namespace pslab::kge {

/// Triples that are ranked.
struct HeldOut {
  std::string split;  ///< "test"
  std::vector<data::Triple> triples;
  KnownAnswers known;
};

/// Its key space: a value per entity, then one per relation; each an embedding, and behind it
/// AdaGrad's sums of squared gradients.
struct Shared {
  explicit Shared(config::Options& given)
      : options(given),
        dataset(given.group("dataset", "the knowledge graph: one of generator, name, folder")) {}

  Options options;
  data::TriplesDataset dataset;
  std::uint64_t seed = 0;
  std::string root;  ///< the project's folder
  int epochs = 1;
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::vector<data::Triple> train;  ///< each worker has a slice, in random order
  std::vector<std::size_t> slices;  ///< begin of each worker's, and the end of the last one's
  std::vector<HeldOut> held_out;    ///< none of it is empty

  /// Whether held-out triples are ranked after an epoch.
  bool ranks_after(int epoch) const {
    return epoch % options.evaluation.every == 0 || epoch == epochs;
  }

  Key relation_key(std::uint32_t relation) const { return Key{entities} + relation; }
  std::size_t entity_floats() const { return 2 * options.dimension; }
  std::size_t relation_floats() const { return 2 * options.relation_length(); }
  /// The training triples of workers `begin` to `end` - 1.
  std::span<const data::Triple> share(WorkerId begin, WorkerId end) const {
    return std::span(train).subspan(slices[begin], slices[end] - slices[begin]);
  }
};

}  // namespace pslab::kge
