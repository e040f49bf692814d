#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/error.hpp"
#include "data/matrix_market.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;
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
    : path_(path), partial_path_(path + ".partial"), missing_(entries) {
  file_ = ::open(partial_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail_input("{}: cannot create: {}", partial_path_, std::strerror(errno));
  buffer_.reserve(kBufferSize + kLongestLine);
  fmt::format_to(std::back_inserter(buffer_),
                 "%%MatrixMarket matrix coordinate real general\n{} {} {}\n", rows, cols, entries);
}

MatrixMarketWriter::~MatrixMarketWriter() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(partial_path_.c_str());
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
    buffer_.append(line.data(), end);
    if (buffer_.size() >= kBufferSize) flush();
  }
}

void MatrixMarketWriter::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_input("{}: cannot write: {}", partial_path_, std::strerror(errno));
    done += static_cast<std::size_t>(count);
  }
  buffer_.clear();
}

void MatrixMarketWriter::finish() {
  if (missing_ != 0) fail_input("{}: {} cells fewer than announced", path_, missing_);
  flush();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 || std::rename(partial_path_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(partial_path_.c_str());
    fail_input("{}: cannot finish: {}", path_, std::strerror(reason));
  }
}

void write_matrix_market(const std::string& path, std::uint32_t rows, std::uint32_t cols,
                         std::span<const Cell> cells) {
  MatrixMarketWriter writer(path, rows, cols, cells.size());
  writer.write(cells);
  writer.finish();
}

}  // namespace pslab::data
