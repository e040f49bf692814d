// The one way from files of ratings to Ratings.
#pragma once

#include <cstdint>
#include <string>

#include "config/options.hpp"
#include "data/cell_checks.hpp"
#include "data/ratings.hpp"
#include "data/ratings_text.hpp"

namespace pslab::data {

/// How cells are held out when a data set has no test part of its own. Shared by files and
/// generators.
struct Split {
  double test_share = 0.01;
  std::uint64_t seed = 1;

  Split() = default;
  explicit Split(config::Options& options);
};

/// What to read and how. Without options: format and delimiter found out, duplicates keep the last.
struct RatingsSource {
  enum class Format { kAuto, kText, kMatrixMarket };

  std::string train;
  std::string test;  ///< empty: hold `split.test_share` of the training cells out
  Split split;
  Format format =
      Format::kAuto;  ///< kAuto: MatrixMarket if the first line is its banner, else text
  TextFormat text;
  Duplicates duplicates = Duplicates::kKeepLast;

  RatingsSource() = default;
  RatingsSource(config::Options& options, const Split& shared_split);
};

/// Reads, checks and counts; never skips anything silently. InputError for every input that is
/// refused; the table in README.md says which.
Ratings read_ratings(const RatingsSource& source);

}  // namespace pslab::data
