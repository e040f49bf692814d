// The `dataset:` map of a knowledge-graph config.
//
//   dataset: {generator: zipf_graph, entities: 2000, relations: 10, triples: 30000, classes: 50}
//   dataset: {folder: my/WN18RR}
//   dataset: {name: wordnet-strict}
#pragma once

#include <string>

#include "config/options.hpp"
#include "data/fetch_steps.hpp"
#include "data/triples.hpp"
#include "data/zipf_graph.hpp"

namespace pslab::data {

class TriplesDataset {
 public:
  /// Only reads options (no file is touched). One of `generator`, `name` and `folder` counts; with
  /// none of them it is the generator, whose options must be left at their default for a folder.
  explicit TriplesDataset(config::Options& options);

  /// Fetches, reads or generates the data. Throws InputError.
  Triples load(const std::string& root, const Say& say = {}, Names names = Names::kSkip) const;

 private:
  std::string name_;
  std::string folder_;
  bool generated_;
  ZipfGraph graph_;
};

}  // namespace pslab::data
