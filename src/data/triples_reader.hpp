// The one way from files to Triples. A folder has one file per part, tab-separated and without a
// header, plain or gzip (name.gz):
//
//   train.del, valid.del, test.del   LibKGE: dense ids from 0. entity_ids.del and relation_ids.del
//                                    (id, name), where they are, say how many ids there are.
//   train.txt, valid.txt, test.txt   names, any bytes, mapped to ids as those of ratings (IdMap)
//
// valid and test may be missing. Other columns than subject, relation, object are refused, and so
// are files of one kind beside those of the other, and a file that is there plain and as .gz.
#pragma once

#include <string>
#include <string_view>

#include "data/triples.hpp"

namespace pslab::data {

/// The folder's file of training triples. InputError as find_triples (triples_files.hpp).
std::string find_training_triples(const std::string& folder);

/// Whether a line has the three columns of a triple.
bool is_triple(std::string_view line);

/// Reads, checks and counts. Repeated triples of a file are kept once, and counted. InputError with
/// file and line for everything else that is not as above.
Triples read_triples(const std::string& folder, Names names = Names::kSkip);

/// Likewise from one file, as training triples: of ids if it ends in .del or .del.gz.
Triples read_triples_file(const std::string& file, Names names = Names::kSkip);

}  // namespace pslab::data
