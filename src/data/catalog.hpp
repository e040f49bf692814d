// The data sets pslab knows by name and where they are kept on this computer.
//
// A set lives in CACHE/<name>/, made by fetch.hpp from a Debian package that `apt-get` delivers. No
// data of others is shipped with pslab.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/ratings_reader.hpp"

namespace pslab::data {

struct CatalogFile {
  std::string name;
  std::string sha256;
};

struct CatalogEntry {
  std::string name;
  std::string task;         ///< what it is for, e.g. "matrix factorization"
  std::string description;  ///< what the data are, one sentence
  std::string licence;      ///< of the data, and what that means for the user
  std::string provenance;   ///< where the data come from
  std::string counts;
  std::string package;    ///< Debian package that holds the data
  std::string converter;  ///< script in src/data/fetch/, run as: SCRIPT NAME PACKAGE_ROOT OUT_DIR
  std::vector<CatalogFile> files;
};

/// All sets, by name.
const std::vector<CatalogEntry>& catalog();

std::vector<std::string> dataset_names();

/// The set of that name; InputError with all names and the nearest one if there is none.
const CatalogEntry& find_dataset(std::string_view name);
bool is_dataset(std::string_view name);

/// $PSLAB_DATA, else $XDG_CACHE_HOME/pslab, else $HOME/.cache/pslab. Need not exist.
std::string cache_directory();

/// CACHE/<name>.
std::string dataset_directory(const CatalogEntry& entry);

/// How to read it, once fetched.
RatingsSource dataset_source(const CatalogEntry& entry);

/// "" if all files of the set are there with the right contents; otherwise what is wrong with it.
std::string dataset_flaw(const CatalogEntry& entry);

/// Lines of text for `pslab data info`: about a set of the catalog (and, if it was fetched, what is
/// in it), or about a file of ratings. InputError if it is neither.
std::vector<std::string> info(const std::string& name_or_file);

}  // namespace pslab::data
