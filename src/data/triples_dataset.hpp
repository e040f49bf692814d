// The `dataset:` map of a knowledge-graph config.
//
//   dataset: {generator: zipf_graph, entities: 2000, relations: 10, triples: 30000, classes: 50}
//   dataset: {folder: my/WN18RR}
#pragma once

#include <string>

#include "config/options.hpp"
#include "data/triples.hpp"
#include "data/zipf_graph.hpp"

namespace pslab::data {

class TriplesDataset {
 public:
  /// Only reads options (no file is touched). One of `generator` and `folder` counts; with none of
  /// them it is the generator, whose options must be left at their default for a folder.
  explicit TriplesDataset(config::Options& options);

  /// Reads or generates the data. Throws InputError.
  Triples load(Names names = Names::kSkip) const;

 private:
  std::string folder_;
  bool generated_;
  ZipfGraph graph_;
};

}  // namespace pslab::data
