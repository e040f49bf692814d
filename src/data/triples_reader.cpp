#include "data/triples_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
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
  Ids(const std::string& folder, const std::string& kind, Names keep)
      : path_(find_file(folder, kind + "_ids.del")) {
    if (path_.empty()) return;
    LineReader lines(path_);
    std::vector<bool> seen;
    std::string_view line;
    while (lines.next(line)) {
      const auto [field, name] = split<2>(line, lines, "id, name");
      const std::uint32_t id = parse_id(field, lines);
      if (id >= seen.size()) seen.resize(std::max<std::size_t>(id + 1, seen.size() * 2), false);
      if (seen[id]) fail_input("{}: the id {} occurs a second time", lines.place(), id);
      seen[id] = true;
      count_ = std::max(count_, id + 1);
      if (keep == Names::kSkip) continue;
      names_.resize(count_);
      names_[id] = name;
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
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  std::string path_;
  std::uint32_t count_ = 0;
  std::vector<std::string> names_;
};

class TriplesReader {
 public:
  TriplesReader(const std::string& folder, Names names)
      : folder_(folder),
        keep_(names),
        named_(
            fs::path(find_training_triples(folder)).filename().string().starts_with("train.txt")) {
    if (named_) return;
    entity_ids_.emplace(folder, "entity", names);
    relation_ids_.emplace(folder, "relation", names);
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
      triples_.entity_names = entity_ids_->take_names();
      triples_.relation_names = relation_ids_->take_names();
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
    std::uint64_t loops = 0;
    std::string_view line;
    while (lines.next(line)) {
      if (line.empty()) {
        ++blank;
        continue;
      }
      if (triples.size() >= 0xFFFFFFFFULL) fail_input("{}: too many triples", lines.place());
      triples.push_back(parse(line, lines));
      if (triples.back().subject == triples.back().object) ++loops;
    }
    const bool header = named_ && is_alone(triples);
    const std::uint64_t duplicates = remove_duplicates(triples);
    const std::string file = fs::path(path).filename().string();
    triples_.notes.push_back(fmt::format(
        "{}: {} triples kept, {} blank lines, {} duplicates{}", file, triples.size(), blank,
        duplicates, loops == 0 ? "" : fmt::format(", {} from an entity to itself", loops)));
    if (header) {
      triples_.notes.push_back(
          fmt::format("warning: the names of the first line of {} occur nowhere else in it; a "
                      "header counts as a triple: remove it if it is one",
                      file));
    }
  }

  Triple parse(std::string_view line, const LineReader& at) {
    const auto [s, r, o] = split<3>(line, at, "subject, relation, object");
    if (named_) {
      return {entity_names_.intern(stripped(s, at)), relation_names_.intern(stripped(r, at)),
              entity_names_.intern(stripped(o, at))};
    }
    return {entity_ids_->id(s, at), relation_ids_->id(r, at), entity_ids_->id(o, at)};
  }

  /// A name without blanks at its ends.
  std::string_view stripped(std::string_view name, const LineReader& at) {
    const std::size_t begin = name.find_first_not_of(' ');
    if (begin == std::string_view::npos) fail_input("{}: a name is blank", at.place());
    const std::size_t end = name.find_last_not_of(' ') + 1;
    if (end - begin != name.size()) ++stripped_;
    return name.substr(begin, end - begin);
  }

  /// Whether no other triple has a part of the first one.
  static bool is_alone(std::span<const Triple> triples) {
    if (triples.size() < 2) return false;
    const Triple first = triples[0];
    return std::none_of(triples.begin() + 1, triples.end(), [&](const Triple& triple) {
      const auto is = [&](std::uint32_t entity) {
        return triple.subject == entity || triple.object == entity;
      };
      return triple.relation == first.relation || is(first.subject) || is(first.object);
    });
  }

  void finish_names() {
    IdMap::Final entities = entity_names_.finish();
    IdMap::Final relations = relation_names_.finish();
    for (auto* part : {&triples_.train, &triples_.valid, &triples_.test}) {
      for (Triple& triple : *part) {
        triple = {entities.index[triple.subject], relations.index[triple.relation],
                  entities.index[triple.object]};
      }
    }
    triples_.entities = entity_names_.size();
    triples_.relations = relation_names_.size();
    if (stripped_ != 0) {
      triples_.notes.push_back(fmt::format("{} had blanks at their ends, which are no part of them",
                                           counted(stripped_, "name")));
    }
    if (keep_ == Names::kSkip) return;
    triples_.entity_names = std::move(entities.names);
    triples_.relation_names = std::move(relations.names);
  }

  const std::string& folder_;
  Names keep_;
  bool named_;
  std::optional<Ids> entity_ids_;
  std::optional<Ids> relation_ids_;
  IdMap entity_names_;
  IdMap relation_names_;
  std::uint64_t stripped_ = 0;  ///< names with blanks at their ends
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

bool has_training_triples(const std::string& folder) {
  return !find_file(folder, "train.del").empty() || !find_file(folder, "train.txt").empty();
}

Triples read_triples(const std::string& folder, Names names) {
  return TriplesReader(folder, names).read();
}

}  // namespace pslab::data
