// What `pslab data info` tells about training data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus.hpp"
#include "data/ratings.hpp"
#include "data/triples.hpp"

namespace pslab::data {

/// How often one pass over the training data accesses each of some keys.
struct KeyAccesses {
  std::string keys;  ///< "rows", "entities", ...
  bool sampled;      ///< those of negative sampling, where only the shares mean something
  std::vector<double> accesses;  ///< one number per key, in any order
};

struct Description {
  std::string kind;  ///< "ratings", "graph" or "text"
  std::vector<std::pair<std::string, double>> counts;
  std::vector<std::string> lines;  ///< sentences about size and values
  std::vector<KeyAccesses> accesses;
  std::vector<std::string> notes;  ///< what was kept, skipped, merged
};

Description describe(const Ratings& ratings);
/// Samples are entities, drawn evenly.
Description describe(const Triples& triples);
/// Samples are words, drawn by their frequency to the power of 3/4.
Description describe(const Corpus& corpus);

/// Everything as lines for the user.
std::vector<std::string> text_of(const Description& description);

/// Share of all accesses that goes to the most accessed `share` of the keys (at least one key).
/// 0 if there is no access.
double top_share(std::vector<double> accesses, double share);
double top_share(const std::vector<std::uint64_t>& accesses, double share);

struct RankShare {
  std::size_t rank;  ///< 1: the most accessed key
  double share;      ///< of all accesses
};
/// The curve of shares over ranks: the first ranks, then ever fewer, and the last that has
/// accesses.
std::vector<RankShare> rank_curve(std::vector<double> accesses);

}  // namespace pslab::data
