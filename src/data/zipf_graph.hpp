// Generated knowledge graphs with skewed degrees and a structure that can be learnt.
//
// Entities fall into `classes` hidden classes, and each relation leads from every class to one
// class, a permutation of its own. A triple: a relation and a subject from Zipf's law, and an
// object from Zipf's law over the entities of the class that the relation leads to; a share of
// `noise` of the triples has any entity as object. Repeated triples are drawn again. Ids are
// randomly permuted.
#pragma once

#include <cstdint>
#include <string>

#include "config/options.hpp"
#include "data/triples.hpp"

namespace pslab::data {

struct ZipfGraph {
  std::uint32_t entities = 2000;
  std::uint32_t relations = 10;
  std::uint64_t triples = 30'000;  ///< training and test triples together
  double zipf = 1.0;               ///< exponent for entities and relations; 0: uniform
  std::uint32_t classes = 50;
  double noise = 0.05;
  double test_share = 0.02;
  std::uint64_t seed = 1;

  ZipfGraph() = default;
  explicit ZipfGraph(config::Options& options);

  /// Refuses combinations of the options that cannot be generated.
  void check(const config::Options& options) const;

  /// Name and parameters in one line.
  std::string describe() const;
};

/// InputError when Zipf's law gives too few different triples.
Triples generate_zipf_graph(const ZipfGraph& graph);

}  // namespace pslab::data
