#include "data/info.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/corpus_reader.hpp"
#include "data/line_reader.hpp"
#include "data/matrix_market.hpp"
#include "data/triples_reader.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

Description describe_text(const std::string& path) {
  return describe(read_corpus(text_files(path), CorpusReading()));
}

Description describe_ratings(const std::string& path) {
  RatingsSource source;
  source.train = path;
  source.split.test_share = 0;
  return describe(read_ratings(source));
}

Description describe_set(const CatalogEntry& entry) {
  switch (entry.kind) {
    case DatasetKind::kRatings:
      return describe(read_ratings(ratings_source(entry)));
    case DatasetKind::kGraph:
      return describe(read_triples(dataset_directory(entry)));
    case DatasetKind::kText:
      break;
  }
  return describe_text(text_file(entry));
}

/// A record of ratings ends with its value.
bool is_rating(std::string_view line) {
  if (is_matrix_market_banner(line)) return true;
  const std::size_t end = line.find_last_of("\t ,;:");
  if (end == std::string_view::npos) return false;
  const std::string_view field = line.substr(end + 1);
  float value = 0;
  const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && rest == field.data() + field.size();
}

std::string kind_of(const std::string& path) {
  if (fs::is_directory(path)) return has_training_triples(path) ? "graph" : "text";
  LineReader lines(path);
  std::string_view line;
  return lines.next(line) && is_rating(line) ? "ratings" : "text";
}

Info file_info(const std::string& path, const std::string& given) {
  const std::string kind = given.empty() ? kind_of(path) : given;
  Info result;
  result.description = kind == "graph"  ? describe(read_triples(path))
                       : kind == "text" ? describe_text(path)
                                        : describe_ratings(path);
  return result;
}

}  // namespace

Info info(const std::string& name_or_path, const std::string& kind) {
  if (!is_dataset(name_or_path)) {
    std::error_code ignored;
    if (fs::exists(name_or_path, ignored)) return file_info(name_or_path, kind);
    fail_input("'{}' is neither a file, nor a folder, nor a data set.{} Data sets: {}.",
               printable(name_or_path), did_you_mean(name_or_path, dataset_names()),
               join(dataset_names(), ", "));
  }
  const CatalogEntry& entry = find_dataset(name_or_path);
  if (!kind.empty()) fail_input("'{}' is a data set; leave --kind out", entry.name);
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
