// What a data set is made of: packages and lists of packages.
#pragma once

#include <string>

#include "data/catalog.hpp"
#include "data/fetch_steps.hpp"

namespace pslab::data {

/// "packages a and b", for the user.
std::string sources_text(const CatalogEntry& entry);

/// Downloads and unpacks everything to `package` in the folder of the steps: Debian packages as
/// they would be installed, npm packages to npm/NAME, apt's lists to lists/LIST.
void get_sources(const CatalogEntry& entry, const FetchSteps& steps);

}  // namespace pslab::data
