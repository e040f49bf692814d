#include "data/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/describe_ratings.hpp"
#include "data/ratings_reader.hpp"
#include "data/sha256.hpp"

namespace pslab::data {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> file_info(const std::string& path) {
  RatingsSource source;
  source.train = path;
  source.split.test_share = 0;
  return describe_ratings(read_ratings(source));
}

}  // namespace

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = {
      {.name = "insteval",
       .task = "matrix factorization",
       .description =
           "How students of ETH Zurich rated their lecturers, 1 to 5; weak skew, hard to "
           "predict",
       .licence = "GPL-2 or later (package lme4)",
       .provenance =
           "data frame InstEval of the R package lme4, Debian package r-cran-lme4; 10 % of "
           "the cells held out by pslab",
       .counts = "2,972 students x 1,128 lecturers, 66,079 training and 7,342 test ratings",
       .package = "r-cran-lme4",
       .converter = "ratings.py",
       .files = {{"train.mmc", "168f42bdc1c87b05b07267835a1487a66f3bf1fa5365c0f82be13f1621807486"},
                 {"test.mmc", "8393a956cc4fb242805beb165dcb58a605c1cdb945616c166ee4311b547b25d7"}}},
      {.name = "movielens-small",
       .task = "matrix factorization",
       .description = "Film ratings by users of MovieLens, 0.5 to 5 (latest-small of 2016)",
       .licence =
           "package Artistic-2.0; GroupLens asks for non-commercial use and the same terms when "
           "passed on: fetch it, do not redistribute it",
       .provenance =
           "data frame movielens of the R package dslabs, Debian package r-cran-dslabs; 10 % "
           "of the cells held out by pslab, so published errors are not comparable",
       .counts =
           "671 users x 9,066 films, 90,004 training and 10,000 test ratings; test RMSE 1.047 by "
           "the mean, 0.873 by row and column biases",
       .package = "r-cran-dslabs",
       .converter = "ratings.py",
       .files = {
           {"train.mmc", "75d979d2ceb87c564c7f8f6ea82ed579dbba88de4e1a78af82f0fd381af176b7"},
           {"test.mmc", "5c6a3fb4e5be69acbe6a9bb97057f2a14775ba7163dabaf29dfa4e5b89d7c5d7"}}}};
  return entries;
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> result;
  for (const CatalogEntry& entry : catalog()) result.push_back(entry.name);
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

RatingsSource dataset_source(const CatalogEntry& entry) {
  RatingsSource source;
  source.train = dataset_directory(entry) + "/train.mmc";
  source.test = dataset_directory(entry) + "/test.mmc";
  source.format = RatingsSource::Format::kMatrixMarket;
  return source;
}

std::string dataset_flaw(const CatalogEntry& entry) {
  const std::string directory = dataset_directory(entry);
  for (const CatalogFile& file : entry.files) {
    const std::string path = directory + "/" + file.name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return path + " is missing";
    const std::string seen = sha256_of_file(path);
    if (seen != file.sha256) {
      return fmt::format("{} has other contents than it should (sha256 {}, expected {})", path,
                         seen, file.sha256);
    }
  }
  return "";
}

std::vector<std::string> info(const std::string& name_or_file) {
  if (!is_dataset(name_or_file)) {
    std::error_code ignored;
    if (std::filesystem::exists(name_or_file, ignored)) return file_info(name_or_file);
    fail_input("'{}' is neither a file nor a data set.{} Data sets: {}.", printable(name_or_file),
               did_you_mean(name_or_file, dataset_names()), join(dataset_names(), ", "));
  }
  const CatalogEntry& entry = find_dataset(name_or_file);
  std::vector<std::string> lines = {fmt::format("{}: {}", entry.name, entry.description),
                                    "task: " + entry.task, "licence: " + entry.licence,
                                    "provenance: " + entry.provenance, "counts: " + entry.counts};
  const std::string directory = dataset_directory(entry);
  if (!std::filesystem::exists(directory)) {
    lines.push_back(fmt::format("not fetched yet; `pslab data fetch {}` puts it into {}",
                                entry.name, directory));
    return lines;
  }
  const std::string flaw = dataset_flaw(entry);
  lines.push_back(flaw.empty() ? "fetched: " + directory
                               : fmt::format("damaged: {}; `pslab data fetch {}` repairs it", flaw,
                                             entry.name));
  if (!flaw.empty()) return lines;
  const std::vector<std::string> contents = describe_ratings(read_ratings(dataset_source(entry)));
  lines.insert(lines.end(), contents.begin(), contents.end());
  return lines;
}

}  // namespace pslab::data
