// Brings a data set of the catalog onto this computer.
#pragma once

#include <functional>
#include <string>

#include "data/catalog.hpp"

namespace pslab::data {

/// Gets one sentence for the user at a time.
using Say = std::function<void(const std::string&)>;

/// Makes sure that the set is in the cache with the right contents and returns its directory. Does
/// nothing if it is there already. Otherwise: `apt-get download`, `dpkg-deb -x`, the converter in
/// ROOT/src/data/fetch/, a check of the sha256 sums, and one rename, so that the set is there as a
/// whole or not at all. Several processes may call this at once; one works, the others wait.
///
/// InputError if a step fails, saying which, why and what to do. `root` is the project's directory.
std::string fetch(const CatalogEntry& entry, const std::string& root, const Say& say);

}  // namespace pslab::data
