// What `pslab data info` tells about a set of ratings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/ratings.hpp"

namespace pslab::data {

/// Share of all accesses that goes to the most accessed `share` of the keys (at least one key).
/// `accesses` has one number per key; 0 if there is no access.
double top_share(std::vector<std::uint64_t> accesses, double share);

/// Counts, density, values, skew of one pass over the training cells (each accesses one row and one
/// column), and the test error of always predicting the mean. Lines of text for the user.
std::vector<std::string> describe_ratings(const Ratings& ratings);

}  // namespace pslab::data
