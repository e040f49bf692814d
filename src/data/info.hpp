// `pslab data info`: what is in a set of the catalog, or in files of the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/catalog.hpp"
#include "data/describe.hpp"

namespace pslab::data {

struct Info {
  const CatalogEntry* entry = nullptr;     ///< null: files of the user
  std::vector<std::string> lines;          ///< about the set, for the user
  std::string assumed;                     ///< what files hold, and why, if that was guessed
  std::optional<Description> description;  ///< of the data, if they are here and whole
};

/// About a set of the catalog, or about a file or folder. `kind` says what a file or folder holds:
/// "ratings", "graph", "text"; "": guessed (guess.hpp). `how`: options of a config's `dataset` map
/// for how files are read, each NAME=VALUE. InputError for what is neither a set nor there, or
/// cannot be read.
Info info(const std::string& name_or_path, const std::string& kind = "",
          const std::vector<std::string>& how = {});

}  // namespace pslab::data
