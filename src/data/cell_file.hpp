// What the format readers (ratings_text, matrix_market) hand to ratings_reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "data/ratings.hpp"

namespace pslab::data {

/// Remembers the line of every record in little memory: only where a line was skipped.
class RecordLines {
 public:
  /// Records must be added in order, starting with record 0.
  void add(std::uint64_t record, std::uint64_t line) {
    if (jumps_.empty() || line - record != jumps_.back().second) {
      jumps_.emplace_back(record, line - record);
    }
  }
  /// The line of an added record.
  std::uint64_t line(std::uint64_t record) const {
    const auto after =
        std::upper_bound(jumps_.begin(), jumps_.end(), record,
                         [](std::uint64_t r, const auto& jump) { return r < jump.first; });
    return record + std::prev(after)->second;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> jumps_;  ///< first record, line - record
};

/// The records of one file in the order of the file, duplicates included.
struct CellFile {
  std::vector<Cell> cells;
  RecordLines lines;
  ReadReport report;  ///< source, blank and stripped are filled in
};

/// Records are numbered with 32 bits while a file is checked.
inline constexpr std::uint64_t kMaxRecords = 0xFFFFFFFFULL;

}  // namespace pslab::data
