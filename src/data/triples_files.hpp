// Which files of a folder hold the triples of a knowledge graph.
#pragma once

#include <string>

namespace pslab::data {

/// Paths; empty: there is no such file.
struct TriplesFiles {
  bool named = false;  ///< of names (.txt), else of ids (.del)
  std::string train;
  std::string valid;
  std::string test;
  std::string entity_ids;  ///< ids only: which ones there are, with names
  std::string relation_ids;
};

/// Those of a folder. InputError when there is no training file, and for every file that would be
/// left out: one of ids beside names, or one that is there plain and as .gz.
TriplesFiles find_triples(const std::string& folder);

/// One file alone, as training triples: of ids if it ends in .del or .del.gz, else of names.
TriplesFiles only_triples(const std::string& file);

/// Whether `folder` has a training file of either kind.
bool has_training_triples(const std::string& folder);

}  // namespace pslab::data
