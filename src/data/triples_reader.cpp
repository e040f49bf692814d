#include "data/triples_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "data/dense_ids.hpp"
#include "data/id_map.hpp"
#include "data/line_reader.hpp"
#include "data/triples_files.hpp"

namespace pslab::data {
namespace {

std::array<std::string_view, 3> split(std::string_view line, const LineReader& at) {
  std::array<std::string_view, 3> fields;
  split_columns(line, at, "subject, relation, object", fields);
  return fields;
}

class TriplesReader {
 public:
  /// `source`: the folder or file, for messages.
  TriplesReader(const std::string& source, const TriplesFiles& files, Names names)
      : source_(source), files_(files), keep_(names) {
    if (files_.named) return;
    entity_ids_.emplace("entity", files_.entity_ids, names);
    relation_ids_.emplace("relation", files_.relation_ids, names);
  }

  Triples read() {
    read_part("train", files_.train, triples_.train);
    if (triples_.train.empty()) fail_input("{}: there is no triple in this file", files_.train);
    read_part("valid", files_.valid, triples_.valid);
    read_part("test", files_.test, triples_.test);
    if (files_.named) {
      finish_names();
    } else {
      entity_ids_->check();
      relation_ids_->check();
      triples_.entities = entity_ids_->count();
      triples_.relations = relation_ids_->count();
      triples_.entity_names = entity_ids_->take_names();
      triples_.relation_names = relation_ids_->take_names();
    }
    if (std::uint64_t{triples_.entities} + triples_.relations > kMaxKeys) {
      fail_input("{}: {} entities and {} relations are more than {} keys", source_,
                 triples_.entities, triples_.relations, kMaxKeys);
    }
    count_leaked(triples_);
    return std::move(triples_);
  }

 private:
  void read_part(const char* part, const std::string& path, std::vector<Triple>& triples) {
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
    const bool header = files_.named && is_alone(triples);
    const std::uint64_t duplicates = remove_duplicates(triples);
    const std::string file = std::filesystem::path(path).filename().string();
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
    const auto [s, r, o] = split(line, at);
    if (files_.named) {
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

  const std::string& source_;
  const TriplesFiles files_;
  Names keep_;
  std::optional<DenseIds> entity_ids_;
  std::optional<DenseIds> relation_ids_;
  IdMap entity_names_;
  IdMap relation_names_;
  std::uint64_t stripped_ = 0;  ///< names with blanks at their ends
  Triples triples_;
};

}  // namespace

bool is_triple(std::string_view line) {
  return std::count(line.begin(), line.end(), '\t') == 2 && !line.starts_with('\t') &&
         !line.ends_with('\t') && line.find("\t\t") == std::string_view::npos;
}

std::string find_training_triples(const std::string& folder) {
  return find_triples(folder).train;
}

Triples read_triples(const std::string& folder, Names names) {
  return TriplesReader(folder, find_triples(folder), names).read();
}

Triples read_triples_file(const std::string& file, Names names) {
  return TriplesReader(file, only_triples(file), names).read();
}

}  // namespace pslab::data
