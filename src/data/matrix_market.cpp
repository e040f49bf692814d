#include "data/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "data/cell_value.hpp"
#include "data/line_reader.hpp"

namespace pslab::data {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";
constexpr std::string_view kBlanks = " \t";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// Up to four fields: one more than any line may have.
struct Fields {
  std::array<std::string_view, 4> at;
  std::size_t count = 0;
};

Fields split(std::string_view line) {
  Fields fields;
  std::size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos && fields.count < fields.at.size()) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    fields.at[fields.count++] = line.substr(begin, end - begin);
    begin = line.find_first_not_of(kBlanks, end);
  }
  return fields;
}

std::optional<std::uint64_t> parse_count(std::string_view field) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(field.begin(), field.end(), number);
  if (error != std::errc() || end != field.end()) return std::nullopt;
  return number;
}

class MatrixReader {
 public:
  explicit MatrixReader(const std::string& path) : lines_(path) { file_.report.source = path; }

  MatrixFile read() {
    read_banner();
    read_sizes();
    std::string_view line;
    while (next(line)) read_entry(line);
    if (file_.cells.size() != entries_) {
      fail_input("{}: the header (line {}) announces {}, but the file ends after {}",
                 lines_.place(), header_line_,
                 entries_ == 1 ? "1 entry" : fmt::format("{} entries", entries_),
                 file_.cells.size());
    }
    return std::move(file_);
  }

 private:
  /// The next line that is neither blank nor a comment.
  bool next(std::string_view& line) {
    while (lines_.next(line)) {
      const std::size_t begin = line.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) {
        ++file_.report.blank;
      } else if (line[begin] != '%') {
        return true;
      }
    }
    return false;
  }

  void read_banner() {
    std::string_view line;
    if (!lines_.next(line) || !is_matrix_market_banner(line)) {
      fail_input(
          "{}: '{}' is not a MatrixMarket banner; the first line must be '%%MatrixMarket matrix "
          "coordinate real general'",
          lines_.place(), excerpt(line));
    }
    const std::string words = lower(line);
    const Fields kind = split(std::string_view(words).substr(kBanner.size()));
    const auto is = [&kind](std::size_t i, std::string_view word) { return kind.at[i] == word; };
    integers_ = is(2, "integer");
    if (is(0, "matrix") && is(1, "coordinate") && is(2, "pattern")) {
      fail_input(
          "{}: a pattern matrix has no values to factorize; add a third column with values and "
          "write 'real' for 'pattern'",
          lines_.place());
    }
    if (is(0, "matrix") && is(1, "coordinate") && (is(2, "real") || integers_) &&
        (is(3, "symmetric") || is(3, "skew-symmetric"))) {
      fail_input(
          "{}: a {} matrix leaves one half of its cells out, and a held-out cell's mirror would be "
          "in the training data; write all cells to be used and 'general'",
          lines_.place(), kind.at[3]);
    }
    if (!is(0, "matrix") || !is(1, "coordinate") || !(is(2, "real") || integers_) ||
        !is(3, "general")) {
      fail_input("{}: '{}' is not supported; pslab reads 'matrix coordinate real|integer general'",
                 lines_.place(), excerpt(line));
    }
  }

  void read_sizes() {
    std::string_view line;
    if (!next(line)) fail_input("{}: the file ends before its line of sizes", lines_.place());
    const Fields fields = split(line);
    std::array<std::uint64_t, 3> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto size = fields.count == sizes.size() ? parse_count(fields.at[i]) : std::nullopt;
      if (!size) {
        fail_input("{}: '{}' must be three integers: rows, columns, entries", lines_.place(),
                   excerpt(line));
      }
      sizes[i] = *size;
    }
    if (sizes[0] == 0 || sizes[1] == 0 || sizes[0] > kMaxKeys || sizes[1] > kMaxKeys) {
      fail_input("{}: a matrix of {} x {}; rows and columns must be 1 .. {}", lines_.place(),
                 sizes[0], sizes[1], kMaxKeys);
    }
    if (sizes[2] > kMaxRecords) {
      fail_input("{}: {} entries; at most {} are possible", lines_.place(), sizes[2], kMaxRecords);
    }
    file_.rows = static_cast<std::uint32_t>(sizes[0]);
    file_.cols = static_cast<std::uint32_t>(sizes[1]);
    entries_ = sizes[2];
    header_line_ = lines_.number();
  }

  void read_entry(std::string_view line) {
    const Fields fields = split(line);
    if (fields.count != 3) {
      fail_input("{}: '{}' must be three fields: row, column, value", lines_.place(),
                 excerpt(line));
    }
    if (file_.cells.size() == entries_) {
      fail_input("{}: one more entry, but the header (line {}) announces {}", lines_.place(),
                 header_line_, entries_);
    }
    const std::uint32_t row = parse_index(fields.at[0], "row", file_.rows);
    const std::uint32_t col = parse_index(fields.at[1], "column", file_.cols);
    const float value = parse_value(fields.at[2], lines_);
    if (integers_ && std::nearbyint(value) != value) {
      fail_input("{}: the value '{}' is not an integer, but the banner says integer; write real",
                 lines_.place(), fields.at[2]);
    }
    file_.lines.add(file_.cells.size(), lines_.number());
    file_.cells.push_back({row, col, value});
  }

  std::uint32_t parse_index(std::string_view field, std::string_view which, std::uint32_t size) {
    const auto index = parse_count(field);
    if (!index || *index == 0 || *index > size) {
      fail_input("{}: the {} index '{}' is not in 1 .. {} (the header is in line {})",
                 lines_.place(), which, excerpt(field), size, header_line_);
    }
    return static_cast<std::uint32_t>(*index - 1);
  }

  LineReader lines_;
  MatrixFile file_;
  std::uint64_t entries_ = 0;
  std::uint64_t header_line_ = 0;
  bool integers_ = false;
};

}  // namespace

bool is_matrix_market_banner(std::string_view line) {
  return lower(line.substr(0, kBanner.size())) == kBanner;
}

MatrixFile read_matrix_market(const std::string& path) {
  return MatrixReader(path).read();
}

}  // namespace pslab::data
