// Ratings as text: one record 'row DELIMITER column DELIMITER value' per line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/cell_file.hpp"
#include "data/id_map.hpp"

namespace pslab::data {

/// kSpace is a run of one or more spaces; all others separate fields each time they occur.
enum class Delimiter { kAuto, kTab, kComma, kSemicolon, kDoubleColon, kSpace };

struct TextFormat {
  Delimiter delimiter = Delimiter::kAuto;  ///< kAuto: decided by the first record
  std::uint64_t skip_lines = 0;            ///< header lines to drop unread
  bool ignore_extra_columns = false;
};

/// The delimiter that separates the fields of `line`: the first of tab, ::, comma, semicolon that
/// occurs, else space.
Delimiter detect_delimiter(std::string_view line);

/// Whether the first lines of a file look like records, with or without one more column: the last
/// one does, and with spaces, which text has too, each of them.
bool are_records(std::span<const std::string> lines);

/// "tabs", "commas", ...
std::string_view delimiter_name(Delimiter delimiter);

/// Reads all records. Cells carry the provisional indices of `row_ids` and `col_ids`; train and
/// test are read into the same two maps. Quotes are plain characters, ids are any bytes. InputError
/// with file and line for every line that is not a record of the one delimiter.
CellFile read_ratings_text(const std::string& path, const TextFormat& format, IdMap& row_ids,
                           IdMap& col_ids);

}  // namespace pslab::data
