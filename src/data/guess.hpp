// What the user's files hold, judged by their names and first lines.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pslab::data {

/// A file or folder, and how it is read.
struct Holding {
  std::string kind;  ///< "ratings", "graph" or "text"
  std::string why;   ///< "its first lines ..."; empty: the user said so
  /// Options of a config's `dataset` map that name the files; none: a single file of triples.
  std::vector<std::pair<std::string, std::string>> files;
};

/// A folder with training triples is a graph, one with a MatrixMarket training file ratings, and
/// another one text in shards; a MatrixMarket file or one of records is ratings, one of triples a
/// graph, any other text. InputError where several would do, or none.
Holding guess(const std::string& path);

/// As `kind` says.
Holding holding(const std::string& path, const std::string& kind);

}  // namespace pslab::data
