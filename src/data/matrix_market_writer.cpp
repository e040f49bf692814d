#include <array>
#include <charconv>

#include "base/error.hpp"
#include "data/matrix_market.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kLongestLine = 64;  // two 32-bit integers, one float, separators

template <typename Number>
char* append(char* at, Number number, char separator) {
  at = std::to_chars(at, at + kLongestLine / 3, number).ptr;
  *at = separator;
  return at + 1;
}

}  // namespace

MatrixMarketWriter::MatrixMarketWriter(const std::string& path, std::uint32_t rows,
                                       std::uint32_t cols, std::uint64_t entries)
    : path_(path), file_(path), missing_(entries) {
  file_.write(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", rows, cols,
                          entries));
}

void MatrixMarketWriter::write(std::span<const Cell> cells) {
  if (cells.size() > missing_) {
    fail_input("{}: {} cells more than announced", path_, cells.size() - missing_);
  }
  missing_ -= cells.size();
  std::array<char, kLongestLine> line{};
  for (const Cell& cell : cells) {
    char* end = append(line.data(), std::uint64_t{cell.row} + 1, ' ');
    end = append(end, std::uint64_t{cell.col} + 1, ' ');
    end = append(end, cell.value, '\n');
    file_.write({line.data(), end});
  }
}

void MatrixMarketWriter::finish() {
  if (missing_ != 0) fail_input("{}: {} cells fewer than announced", path_, missing_);
  file_.finish();
}

void write_matrix_market(const std::string& path, std::uint32_t rows, std::uint32_t cols,
                         std::span<const Cell> cells) {
  MatrixMarketWriter writer(path, rows, cols, cells.size());
  writer.write(cells);
  writer.finish();
}

MatrixMarketArrayWriter::MatrixMarketArrayWriter(const std::string& path, std::size_t rows,
                                                 std::size_t cols)
    : path_(path), file_(path), missing_(rows * cols) {
  file_.write(fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", rows, cols));
}

void MatrixMarketArrayWriter::write(std::span<const float> values) {
  if (values.size() > missing_) {
    fail_input("{}: {} values more than announced", path_, values.size() - missing_);
  }
  missing_ -= values.size();
  std::array<char, kLongestLine> line{};
  for (const float value : values) {
    file_.write({line.data(), append(line.data(), value, '\n')});
  }
}

void MatrixMarketArrayWriter::finish() {
  if (missing_ != 0) fail_input("{}: {} values fewer than announced", path_, missing_);
  file_.finish();
}

}  // namespace pslab::data
