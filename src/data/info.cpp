#include "data/info.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/options.hpp"
#include "config/overrides.hpp"
#include "config/path.hpp"
#include "data/corpus_dataset.hpp"
#include "data/guess.hpp"
#include "data/ratings_dataset.hpp"
#include "data/triples_dataset.hpp"
#include "data/triples_reader.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

Description describe_set(const CatalogEntry& entry) {
  switch (entry.kind) {
    case DatasetKind::kRatings:
      return describe(read_ratings(ratings_source(entry)));
    case DatasetKind::kGraph:
      return describe(read_triples(dataset_directory(entry)));
    case DatasetKind::kText:
      break;
  }
  return describe(read_corpus({text_file(entry)}, CorpusReading()));
}

/// The `dataset` map of a config for these files.
config::Value dataset_map(const Holding& files, const std::vector<std::string>& how) {
  config::Value map{config::Map()};
  config::apply_overrides(map, how);
  for (const auto& [name, path] : files.files) {
    if (map.find(name) != nullptr)
      fail_input("{} is given twice, the first time as {}", name, path);
    config::set_path(map, {name}, config::Value(path), "");
  }
  // All that a file holds is described, unless another split is asked for.
  if (files.kind == "ratings" && map.find("test") == nullptr && map.find("test_share") == nullptr) {
    config::set_path(map, {"test_share"}, config::Value(0), "");
  }
  return map;
}

/// Reads files as a workload does: by the options of `Dataset`.
template <typename Dataset>
auto load(const Holding& files, const std::vector<std::string>& how) {
  const config::Value map = dataset_map(files, how);
  config::Options options(&map, "");
  const Dataset dataset(options);
  options.finish();
  return dataset.load("");
}

Description describe_files(const std::string& path, const Holding& files,
                           const std::vector<std::string>& how) {
  if (files.kind == "ratings") return describe(load<RatingsDataset>(files, how));
  if (files.kind == "text") return describe(load<CorpusDataset>(files, how).corpus);
  if (!files.files.empty()) return describe(load<TriplesDataset>(files, how));
  if (!how.empty()) {
    fail_input("{}: a file of triples is read without options, seen '{}'", path,
               printable(how.front()));
  }
  return describe(read_triples_file(path));
}

std::string assumption(const Holding& files) {
  std::vector<std::string> others;
  for (const char* kind : {"ratings", "graph", "text"}) {
    if (files.kind != kind) others.emplace_back(kind);
  }
  return fmt::format("read as {}, because {}; if that is wrong, give --kind {}", files.kind,
                     files.why, join(others, " or "));
}

Info file_info(const std::string& path, const std::string& kind,
               const std::vector<std::string>& how) {
  const Holding files = kind.empty() ? guess(path) : holding(path, kind);
  Info result;
  if (!files.why.empty()) result.assumed = assumption(files);
  try {
    result.description = describe_files(path, files, how);
  } catch (const InputError& error) {
    std::string text = error.what();
    if (!result.assumed.empty()) text += "\n  It was " + result.assumed + ".";
    if (files.kind != "graph") {
      text +=
          fmt::format("\n  Options follow the path as NAME=VALUE: pslab data info {} {}",
                      shell_quoted(path), files.kind == "text" ? "min_count=1" : "skip_lines=1");
    }
    throw InputError(text);
  }
  return result;
}

}  // namespace

Info info(const std::string& name_or_path, const std::string& kind,
          const std::vector<std::string>& how) {
  if (!is_dataset(name_or_path)) {
    std::error_code ignored;
    if (fs::exists(name_or_path, ignored)) return file_info(name_or_path, kind, how);
    fail_input("'{}' is neither a file, nor a folder, nor a data set.{} Data sets: {}.",
               printable(name_or_path), did_you_mean(name_or_path, dataset_names()),
               join(dataset_names(), ", "));
  }
  const CatalogEntry& entry = find_dataset(name_or_path);
  if (!kind.empty()) fail_input("'{}' is a data set; leave --kind out", entry.name);
  if (!how.empty()) {
    fail_input("'{}' is a data set, which is read in one way; leave '{}' out", entry.name,
               printable(how.front()));
  }
  Info result;
  result.entry = &entry;
  result.lines = {fmt::format("{}: {}", entry.name, entry.description),
                  "task: " + task_of(entry.kind), "licence: " + entry.licence,
                  "provenance: " + entry.provenance, "counts: " + entry.counts};
  for (const CatalogFile& file : entry.files) {
    result.lines.push_back(
        fmt::format("sha256 of {}: {}", file.name, file.sha256.empty() ? "changes" : file.sha256));
  }
  const std::string directory = dataset_directory(entry);
  if (!fs::exists(directory)) {
    result.lines.push_back(fmt::format("not fetched yet; `pslab data fetch {}` puts it into {}",
                                       entry.name, directory));
    return result;
  }
  const std::string flaw = dataset_flaw(entry);
  result.lines.push_back(flaw.empty() ? "fetched: " + directory
                                      : fmt::format("damaged: {}; `pslab data fetch {}` repairs it",
                                                    flaw, entry.name));
  if (flaw.empty()) result.description = describe_set(entry);
  return result;
}

}  // namespace pslab::data
