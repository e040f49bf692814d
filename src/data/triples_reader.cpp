#include "data/triples_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "data/cell_value.hpp"
#include "data/id_map.hpp"
#include "data/line_reader.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

/// The path of `name` or `name`.gz in `folder`; "": neither is there.
std::string find_file(const std::string& folder, const std::string& name) {
  for (const char* end : {"", ".gz"}) {
    const std::string path = (fs::path(folder) / (name + end)).string();
    std::error_code error;
    if (fs::exists(path, error)) return path;
  }
  return "";
}

/// The tab-separated fields of a line.
template <std::size_t kFields>
std::array<std::string_view, kFields> split(std::string_view line, const LineReader& at,
                                            std::string_view record) {
  std::array<std::string_view, kFields> fields;
  const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
  if (count != kFields) {
    fail_input("{}: {} separated by tabs in '{}'; a line is {}, without a header", at.place(),
               counted(count, "column"), excerpt(line), record);
  }
  std::size_t begin = 0;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    field = line.substr(begin, end - begin);
    if (field.empty()) {
      fail_input("{}: a column of '{}' is empty; a line is {}", at.place(), excerpt(line), record);
    }
    begin = end + 1;
  }
  return fields;
}

std::uint32_t parse_id(std::string_view field, const LineReader& at) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(field.begin(), field.end(), id);
  if (error != std::errc() || end != field.end() || id >= kMaxKeys) {
    fail_input("{}: the id '{}' is not an integer from 0 to {}; files of names end in .txt",
               at.place(), excerpt(field), kMaxKeys - 1);
  }
  return id;
}

/// Dense ids of one kind, as they stand in .del files.
class Ids {
 public:
  /// `kind`: "entity". Its file of ids, if there is one, limits them.
  Ids(const std::string& folder, const std::string& kind)
      : path_(find_file(folder, kind + "_ids.del")) {
    if (path_.empty()) return;
    LineReader lines(path_);
    std::vector<bool> seen;
    std::string_view line;
    while (lines.next(line)) {
      const std::uint32_t id = parse_id(split<2>(line, lines, "id, name")[0], lines);
      if (id >= seen.size()) seen.resize(std::max<std::size_t>(id + 1, seen.size() * 2), false);
      if (seen[id]) fail_input("{}: the id {} occurs a second time", lines.place(), id);
      seen[id] = true;
      count_ = std::max(count_, id + 1);
    }
  }

  std::uint32_t id(std::string_view field, const LineReader& at) {
    const std::uint32_t id = parse_id(field, at);
    if (id >= count_) {
      if (!path_.empty()) {
        fail_input("{}: the id {} is not in {}, which has ids below {}", at.place(), id, path_,
                   count_);
      }
      count_ = id + 1;
    }
    return id;
  }

  std::uint32_t count() const { return count_; }

 private:
  std::string path_;
  std::uint32_t count_ = 0;
};

class TriplesReader {
 public:
  explicit TriplesReader(const std::string& folder)
      : folder_(folder),
        named_(
            fs::path(find_training_triples(folder)).filename().string().starts_with("train.txt")) {
    if (named_) return;
    entity_ids_.emplace(folder, "entity");
    relation_ids_.emplace(folder, "relation");
  }

  Triples read() {
    read_part("train", triples_.train);
    if (triples_.train.empty()) {
      fail_input("{}: there is no triple in this file", find_training_triples(folder_));
    }
    read_part("valid", triples_.valid);
    read_part("test", triples_.test);
    if (named_) {
      finish_names();
    } else {
      triples_.entities = entity_ids_->count();
      triples_.relations = relation_ids_->count();
    }
    if (std::uint64_t{triples_.entities} + triples_.relations > kMaxKeys) {
      fail_input("{}: {} entities and {} relations are more than {} keys", folder_,
                 triples_.entities, triples_.relations, kMaxKeys);
    }
    count_leaked(triples_);
    return std::move(triples_);
  }

 private:
  void read_part(const std::string& part, std::vector<Triple>& triples) {
    const std::string path = find_file(folder_, part + (named_ ? ".txt" : ".del"));
    if (path.empty()) {
      triples_.notes.push_back(fmt::format("there is no {} file", part));
      return;
    }
    LineReader lines(path);
    std::uint64_t blank = 0;
    std::string_view line;
    while (lines.next(line)) {
      if (line.empty()) {
        ++blank;
        continue;
      }
      const auto [s, r, o] = split<3>(line, lines, "subject, relation, object");
      if (triples.size() >= 0xFFFFFFFFULL) fail_input("{}: too many triples", lines.place());
      triples.push_back(named_ ? Triple{entity_names_.intern(s), relation_names_.intern(r),
                                        entity_names_.intern(o)}
                               : Triple{entity_ids_->id(s, lines), relation_ids_->id(r, lines),
                                        entity_ids_->id(o, lines)});
    }
    const std::uint64_t duplicates = remove_duplicates(triples);
    triples_.notes.push_back(fmt::format("{}: {} triples kept, {} blank lines, {} duplicates",
                                         fs::path(path).filename().string(), triples.size(), blank,
                                         duplicates));
  }

  void finish_names() {
    const IdMap::Final entities = entity_names_.finish();
    const IdMap::Final relations = relation_names_.finish();
    for (auto* part : {&triples_.train, &triples_.valid, &triples_.test}) {
      for (Triple& triple : *part) {
        triple = {entities.index[triple.subject], relations.index[triple.relation],
                  entities.index[triple.object]};
      }
    }
    triples_.entities = entity_names_.size();
    triples_.relations = relation_names_.size();
  }

  const std::string& folder_;
  bool named_;
  std::optional<Ids> entity_ids_;
  std::optional<Ids> relation_ids_;
  IdMap entity_names_;
  IdMap relation_names_;
  Triples triples_;
};

}  // namespace

std::string find_training_triples(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_input("{}: there is no such folder; give one with train.del or train.txt", folder);
  }
  const std::string ids = find_file(folder, "train.del");
  const std::string names = find_file(folder, "train.txt");
  if (ids.empty() && names.empty()) {
    fail_input("{}: the folder has neither train.del (ids) nor train.txt (names), plain or .gz",
               folder);
  }
  if (!ids.empty() && !names.empty()) {
    fail_input("{}: the folder has {} and {}; keep files of ids and of names in two folders",
               folder, fs::path(ids).filename().string(), fs::path(names).filename().string());
  }
  return ids.empty() ? names : ids;
}

Triples read_triples(const std::string& folder) {
  return TriplesReader(folder).read();
}

}  // namespace pslab::data
