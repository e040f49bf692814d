// The ids of entities, or of relations, in files of ids (.del): numbers from 0, with few gaps,
// because training keeps an embedding for each number up to the largest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/line_reader.hpp"
#include "data/triples.hpp"

namespace pslab::data {

/// The tab-separated fields of a line, as many as `fields` has room for. InputError with file and
/// line for another number of them, or an empty one; `record` says what a line is.
void split_columns(std::string_view line, const LineReader& at, std::string_view record,
                   std::span<std::string_view> fields);

/// The most embeddings (or factors) that data get which name so many ids, each as often as it
/// occurs: a million cost little, and of more, a tenth has to be named.
std::uint64_t most_ids(std::uint64_t named);

class DenseIds {
 public:
  /// `kind`: "entity". `list`: path of the file with all ids and their names, which then limits
  /// them; "": none. InputError for ids of that file that are wrong.
  DenseIds(std::string kind, std::string list, Names keep);

  /// The id that a field of triples has. InputError unless it is in the list, if there is one.
  std::uint32_t id(std::string_view field, const LineReader& at);

  /// Call after the last triple. Without a list: InputError with the place of the largest id if it
  /// is far larger than the number of ids met.
  void check() const;

  std::uint32_t count() const { return count_; }  ///< the largest id + 1
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  void read_list(Names keep);
  void meet(std::uint32_t id, const LineReader& at);

  std::string kind_;
  std::string list_;
  std::uint32_t count_ = 0;
  std::vector<std::string> names_;
  std::uint64_t met_ = 0;     ///< ids, each as often as it was met
  std::string largest_file_;  ///< where the largest stands
  std::uint64_t largest_line_ = 0;
};

}  // namespace pslab::data
