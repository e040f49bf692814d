#include "data/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/sha256.hpp"
#include "data/text_file_writer.hpp"

namespace pslab::data {
namespace {

constexpr const char* kSums = "sha256sums";
constexpr const char* kCounts = "counts.tsv";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The sums that write_sums() noted, by file.
std::map<std::string, std::string> read_sums(const std::string& folder) {
  std::map<std::string, std::string> sums;
  std::ifstream file(folder + "/" + kSums);
  for (std::string sum, name; file >> sum >> name;) sums[name] = sum;
  return sums;
}

std::map<std::string, std::uint64_t> read_counts(const std::string& folder) {
  std::map<std::string, std::uint64_t> counts;
  std::ifstream file(folder + "/" + kCounts);
  std::string name;
  for (std::uint64_t number = 0; file >> name >> number;) counts[name] = number;
  return counts;
}

}  // namespace

std::string task_of(DatasetKind kind) {
  switch (kind) {
    case DatasetKind::kRatings:
      return "matrix factorization";
    case DatasetKind::kGraph:
      return "knowledge graphs";
    case DatasetKind::kText:
      break;
  }
  return "word embeddings";
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> result;
  for (const CatalogEntry& entry : catalog()) result.push_back(entry.name);
  return result;
}

std::vector<std::string> dataset_names(DatasetKind kind) {
  std::vector<std::string> result;
  for (const CatalogEntry& entry : catalog()) {
    if (entry.kind == kind) result.push_back(entry.name);
  }
  return result;
}

bool is_dataset(std::string_view name) {
  return std::any_of(catalog().begin(), catalog().end(),
                     [name](const CatalogEntry& entry) { return entry.name == name; });
}

const CatalogEntry& find_dataset(std::string_view name) {
  for (const CatalogEntry& entry : catalog()) {
    if (entry.name == name) return entry;
  }
  fail_input("there is no data set '{}'.{} Data sets: {}.", printable(name),
             did_you_mean(name, dataset_names()), join(dataset_names(), ", "));
}

std::string cache_directory() {
  if (const std::string own = environment("PSLAB_DATA"); !own.empty()) return own;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/pslab";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.cache/pslab";
  fail_input("no place for data sets: set PSLAB_DATA to a directory (HOME is not set either)");
}

std::string dataset_directory(const CatalogEntry& entry) {
  return cache_directory() + "/" + entry.name;
}

RatingsSource ratings_source(const CatalogEntry& entry) {
  RatingsSource source;
  source.train = dataset_directory(entry) + "/train.mmc";
  source.test = dataset_directory(entry) + "/test.mmc";
  source.format = RatingsSource::Format::kMatrixMarket;
  return source;
}

std::string text_file(const CatalogEntry& entry) {
  return dataset_directory(entry) + "/text.txt";
}

std::string dataset_flaw(const CatalogEntry& entry) {
  const std::string directory = dataset_directory(entry);
  const std::map<std::string, std::string> noted = read_sums(directory);
  for (const CatalogFile& file : entry.files) {
    const std::string path = directory + "/" + file.name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return path + " is missing";
    const auto note = noted.find(file.name);
    if (file.sha256.empty() && note == noted.end()) {
      return fmt::format("{}/{} does not have the sha256 of {}", directory, kSums, file.name);
    }
    const std::string& expected = file.sha256.empty() ? note->second : file.sha256;
    const std::string seen = sha256_of_file(path);
    if (seen != expected) {
      return fmt::format("{} has other contents than it should (sha256 {}, expected {})", path,
                         seen, expected);
    }
  }
  return "";
}

std::string count_flaw(const CatalogEntry& entry, const std::string& folder) {
  const std::map<std::string, std::uint64_t> counts = read_counts(folder);
  for (const CountRange& range : entry.counts_between) {
    const auto found = counts.find(range.name);
    if (found == counts.end()) return fmt::format("{} has no {}", kCounts, range.name);
    if (found->second < range.least || found->second > range.most) {
      return fmt::format("{} {}, expected {} to {}", found->second, range.name, range.least,
                         range.most);
    }
  }
  return "";
}

void write_sums(const CatalogEntry& entry, const std::string& folder) {
  TextFileWriter file(folder + "/" + kSums);
  for (const CatalogFile& each : entry.files) {
    file.write(fmt::format("{}  {}\n", sha256_of_file(folder + "/" + each.name), each.name));
  }
  file.finish();
}

std::string read_dataset_name(config::Options& options, DatasetKind kind, std::string_view own) {
  const std::string name =
      options.text("name", "", "a data set of the catalog; `pslab list datasets` shows them");
  const std::vector<std::string> names = dataset_names(kind);
  if (!name.empty() && std::ranges::find(names, name) == names.end()) {
    const std::string near = nearest_name(name, names);
    options.reject("name", "expected one of the data sets " + join(names, ", "),
                   near.empty() ? fmt::format("For a file of your own use {} instead", own)
                                : fmt::format("Did you mean '{}'?", near));
  }
  return name;
}

}  // namespace pslab::data
