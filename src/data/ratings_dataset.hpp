// The `dataset:` map of a matrix factorization config.
//
//   dataset: {generator: zipf_matrix, rows: 100000, cols: 10000, cells: 1000000, zipf: 1.1, seed:
//   1} dataset: {name: movielens-small} dataset: {train: ratings.tsv, test: held_out.tsv}
#pragma once

#include <string>

#include "config/options.hpp"
#include "data/fetch.hpp"
#include "data/ratings.hpp"
#include "data/ratings_reader.hpp"
#include "data/zipf_matrix.hpp"

namespace pslab::data {

class RatingsDataset {
 public:
  /// Only reads options (no file is touched). Exactly one of `generator`, `name` and `train`
  /// counts; with none of them it is the generator. Options of the two others must be left at their
  /// default.
  explicit RatingsDataset(config::Options& options);

  /// Reads or generates the data. A set of the catalog that is not in the cache is fetched first,
  /// which is what `say` hears about. `root` is the project's directory. Throws InputError.
  Ratings load(const std::string& root, const Say& say = {}) const;

  /// What it is, in one line, without loading it.
  std::string describe() const;

 private:
  Split split_;  // first: the two below share it
  std::string name_;
  RatingsSource files_;
  bool generated_;
  ZipfMatrix matrix_;
};

}  // namespace pslab::data
