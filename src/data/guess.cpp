#include "data/guess.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/corpus_reader.hpp"
#include "data/line_reader.hpp"
#include "data/matrix_market.hpp"
#include "data/ratings_text.hpp"
#include "data/triples_files.hpp"
#include "data/triples_reader.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

/// The first two lines that are not blank: the first may be a header.
std::vector<std::string> first_lines(const std::string& path) {
  constexpr std::size_t kLines = 2;
  constexpr std::size_t kMostRead = 100;
  std::vector<std::string> found;
  LineReader lines(path);
  std::string_view line;
  while (found.size() < kLines && lines.number() < kMostRead && lines.next(line)) {
    if (line.find_first_not_of(" \t") != line.npos) found.emplace_back(line);
  }
  return found;
}

/// The part of a file's name before its ending, if the ending is that of MatrixMarket files.
std::string matrix_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.ends_with(".mmc") || name.ends_with(".mtx") ? name.substr(0, name.size() - 4) : "";
}

Holding guess_file(const std::string& path) {
  const std::vector<std::string> lines = first_lines(path);
  if (!lines.empty() && is_matrix_market_banner(lines.front())) {
    return {"ratings", "its first line is that of a MatrixMarket file", {{"train", path}}};
  }
  if (!matrix_name(path).empty()) {
    return {"ratings", "its name is that of a MatrixMarket file", {{"train", path}}};
  }
  const bool triples = !lines.empty() && std::ranges::all_of(lines, is_triple);
  if (triples && (path.ends_with(".del") || path.ends_with(".del.gz"))) {
    return {"graph", "its first lines have three columns, and its name ends in .del", {}};
  }
  if (are_records(lines)) {
    return {"ratings",
            "its first lines have three or four columns, the third a number",
            {{"train", path}}};
  }
  if (triples) return {"graph", "its first lines have three columns separated by tabs", {}};
  return {"text", "its first lines are neither records of ratings nor triples", {{"file", path}}};
}

/// MatrixMarket files of a folder as options; empty: there are none.
std::vector<std::pair<std::string, std::string>> find_matrices(const std::string& folder) {
  std::vector<std::string> matrices;
  std::vector<std::pair<std::string, std::string>> parts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.is_regular_file() ? matrix_name(entry.path().string()) : "";
    if (name.empty()) continue;
    matrices.push_back(entry.path().string());
    if (name == "train" || name == "test") parts.emplace_back(name, matrices.back());
  }
  std::ranges::sort(matrices);
  std::ranges::sort(parts);
  if (matrices.size() == 1) return {{"train", matrices.front()}};
  const std::vector<std::string> expected =
      matrices.size() == 2 ? std::vector<std::string>{"test", "train"} : std::vector<std::string>{};
  std::vector<std::string> seen;
  for (const auto& part : parts) seen.push_back(part.first);
  if (seen == expected) return parts;
  fail_input(
      "{}: of the MatrixMarket files in this folder it is not clear which is for training and "
      "which "
      "for testing: {}. Give one, and the other behind it as test=FILE",
      folder, join(matrices, ", "));
}

Holding guess_folder(const std::string& folder) {
  if (has_training_triples(folder)) {
    const std::string train = find_training_triples(folder);
    const std::vector<std::string> lines = first_lines(train);
    if (train.ends_with(".del") || train.ends_with(".del.gz") ||
        std::ranges::any_of(lines, is_triple)) {
      return {"graph", "it has " + fs::path(train).filename().string(), {{"folder", folder}}};
    }
  }
  if (auto matrices = find_matrices(folder); !matrices.empty()) {
    const std::string train = fs::path(matrices.back().second).filename().string();
    return {"ratings", "it has " + train, std::move(matrices)};
  }
  for (const std::string& file : text_files(folder)) {
    const Holding of_file = guess_file(file);
    if (of_file.kind == "text") continue;
    fail_input(
        "{}: this folder has neither triples (train.del or train.txt) nor a MatrixMarket file, and "
        "{} in it looks like {} ({}), not like text. Name that file; or give --kind text",
        folder, file, of_file.kind == "graph" ? "triples" : "ratings", of_file.why);
  }
  return {"text", "its files are neither triples nor ratings", {{"folder", folder}}};
}

}  // namespace

Holding guess(const std::string& path) {
  return fs::is_directory(path) ? guess_folder(path) : guess_file(path);
}

Holding holding(const std::string& path, const std::string& kind) {
  const bool folder = fs::is_directory(path);
  Holding result{kind, "", {{folder ? "folder" : "file", path}}};
  if (kind == "graph" && !folder) result.files.clear();
  if (kind == "ratings") {
    result.files = folder ? find_matrices(path) : decltype(result.files){};
    if (result.files.empty()) result.files = {{"train", path}};
  }
  return result;
}

}  // namespace pslab::data
