#include "data/ratings_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/cell_value.hpp"
#include "data/line_reader.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kColumns = 3;
constexpr std::array kDelimiters = {Delimiter::kTab, Delimiter::kDoubleColon, Delimiter::kComma,
                                    Delimiter::kSemicolon, Delimiter::kSpace};

std::string_view characters(Delimiter delimiter) {
  switch (delimiter) {
    case Delimiter::kTab:
      return "\t";
    case Delimiter::kComma:
      return ",";
    case Delimiter::kSemicolon:
      return ";";
    case Delimiter::kDoubleColon:
      return "::";
    case Delimiter::kSpace:
    case Delimiter::kAuto:
      break;
  }
  return " ";
}

struct Fields {
  std::array<std::string_view, kColumns> first;  ///< the first three
  std::size_t count = 0;                         ///< how many the line has
};

/// Where `delimiter` begins next, or the end. Fields are short: a plain loop beats searching.
std::size_t field_end(std::string_view line, std::size_t begin, std::string_view delimiter) {
  while (begin < line.size() &&
         !(line[begin] == delimiter[0] && line.substr(begin, delimiter.size()) == delimiter)) {
    ++begin;
  }
  return begin;
}

Fields split(std::string_view line, Delimiter delimiter) {
  const std::string_view between = characters(delimiter);
  const bool runs = delimiter == Delimiter::kSpace;
  Fields fields;
  std::size_t begin = 0;
  while (true) {
    while (runs && begin < line.size() && line[begin] == ' ') ++begin;
    if (runs && begin == line.size()) break;
    const std::size_t end = field_end(line, begin, between);
    if (fields.count < kColumns) fields.first[fields.count] = line.substr(begin, end - begin);
    ++fields.count;
    if (end == line.size()) break;
    begin = end + between.size();
  }
  return fields;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view strip(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

/// Whether a line looks like a record, with or without one more column.
bool is_record(std::string_view line) {
  const Fields fields = split(line, detect_delimiter(line));
  if (fields.count != kColumns && fields.count != kColumns + 1) return false;
  const std::string_view value = strip(fields.first[2]);
  // Numbers are not written with leading zeros, but some names are.
  if (value.size() > 1 && value[0] == '0' && value[1] != '.') return false;
  float number = 0.0F;
  const auto [end, error] = std::from_chars(value.begin(), value.end(), number);
  return error == std::errc() && end == value.end();
}

/// Reads one file; holds what the functions for one line need.
class TextReader {
 public:
  TextReader(const std::string& path, const TextFormat& format, IdMap& row_ids, IdMap& col_ids)
      : lines_(path), format_(format), row_ids_(row_ids), col_ids_(col_ids) {
    file_.report.source = path;
  }

  CellFile read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() <= format_.skip_lines) continue;
      if (strip(line).empty()) {
        ++file_.report.blank;
        continue;
      }
      read_record(line);
    }
    return std::move(file_);
  }

 private:
  void read_record(std::string_view line) {
    const bool first = file_.cells.empty();
    if (first && format_.delimiter == Delimiter::kAuto) format_.delimiter = detect_delimiter(line);
    const Fields fields = split(line, format_.delimiter);
    check_columns(line, fields);
    const std::string_view hint = first ? std::string_view(first_record_hint()) : "";
    const float value = parse_value(strip(fields.first[2]), lines_, hint);
    if (file_.cells.size() >= kMaxRecords) {
      fail_input("{}: more than {} records", lines_.place(), kMaxRecords);
    }
    file_.lines.add(file_.cells.size(), lines_.number());
    file_.cells.push_back({row_ids_.intern(read_id(fields.first[0], "row")),
                           col_ids_.intern(read_id(fields.first[1], "column")), value});
  }

  std::string_view read_id(std::string_view field, std::string_view which) {
    const std::string_view id = strip(field);
    if (id.size() != field.size()) ++file_.report.stripped;
    if (id.empty()) {
      fail_input("{}: the {} id is empty; a record is row, column, value", lines_.place(), which);
    }
    return id;
  }

  void check_columns(std::string_view line, const Fields& fields) {
    if (fields.count < kColumns || ends_like_another_delimiter(fields)) {
      refuse_other_delimiter(line);
    }
    if (fields.count < kColumns) {
      fail_input("{}: {} separated by {} in '{}'; a record is row, column, value.{}",
                 lines_.place(), counted(fields.count, "column"), delimiter_name(format_.delimiter),
                 excerpt(line), hint_after_sentence());
    }
    if (fields.count > kColumns && !format_.ignore_extra_columns) {
      fail_input(
          "{}: {} columns separated by {} in '{}'; a record is row, column, value. To drop the "
          "other columns set extra_columns: ignore.{}",
          lines_.place(), fields.count, delimiter_name(format_.delimiter), excerpt(line),
          hint_after_sentence());
    }
  }

  /// "1, 2, 3" has three fields when split at spaces, but spaces are not what separates them. Needs
  /// at least three fields.
  bool ends_like_another_delimiter(const Fields& fields) const {
    const auto ends = [](std::string_view id) { return id.back() == ',' || id.back() == ';'; };
    return format_.delimiter == Delimiter::kSpace && ends(fields.first[0]) && ends(fields.first[1]);
  }

  void refuse_other_delimiter(std::string_view line) const {
    for (const Delimiter other : kDelimiters) {
      if (other == format_.delimiter || split(line, other).count < kColumns) continue;
      fail_input(
          "{}: fields are separated by {} in '{}', but this file's delimiter is {}; use one "
          "delimiter in the whole file, or set delimiter",
          lines_.place(), delimiter_name(other), excerpt(line), delimiter_name(format_.delimiter));
    }
  }

  const std::string& first_record_hint() {
    hint_ = fmt::format("If this is a header or a comment, set skip_lines: {}", lines_.number());
    return hint_;
  }

  std::string hint_after_sentence() {
    return file_.cells.empty() ? " " + first_record_hint() : std::string();
  }

  LineReader lines_;
  TextFormat format_;
  IdMap& row_ids_;
  IdMap& col_ids_;
  CellFile file_;
  std::string hint_;
};

}  // namespace

Delimiter detect_delimiter(std::string_view line) {
  for (const Delimiter delimiter : kDelimiters) {
    if (line.find(characters(delimiter)) != std::string_view::npos) return delimiter;
  }
  return Delimiter::kSpace;
}

bool are_records(std::span<const std::string> lines) {
  if (lines.empty() || !is_record(lines.back())) return false;
  return detect_delimiter(lines.back()) != Delimiter::kSpace ||
         std::ranges::all_of(lines, is_record);
}

std::string_view delimiter_name(Delimiter delimiter) {
  switch (delimiter) {
    case Delimiter::kTab:
      return "tabs";
    case Delimiter::kComma:
      return "commas";
    case Delimiter::kSemicolon:
      return "semicolons";
    case Delimiter::kDoubleColon:
      return "'::'";
    case Delimiter::kSpace:
      return "spaces";
    case Delimiter::kAuto:
      break;
  }
  return "whatever the first record uses";
}

CellFile read_ratings_text(const std::string& path, const TextFormat& format, IdMap& row_ids,
                           IdMap& col_ids) {
  return TextReader(path, format, row_ids, col_ids).read();
}

}  // namespace pslab::data
