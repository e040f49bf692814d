#include "data/line_reader.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>

namespace pslab::data {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(const std::string& path) : path_(path), source_(path) {
  buffer_.resize(kFirstBuffer);
}

bool LineReader::next(std::string_view& line) {
  const char* end_of_line = nullptr;
  while (true) {
    if (scanned_ < end_) {
      const void* found = std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_);
      end_of_line = static_cast<const char*>(found);
    }
    if (end_of_line != nullptr) break;
    scanned_ = end_;
    if (!fill()) break;
  }
  if (end_of_line == nullptr && begin_ == end_) return false;

  const char* first = buffer_.data() + begin_;
  const char* last = end_of_line != nullptr ? end_of_line : buffer_.data() + end_;
  begin_ = static_cast<std::size_t>(last - buffer_.data()) + (end_of_line != nullptr ? 1 : 0);
  scanned_ = begin_;
  line = std::string_view(first, static_cast<std::size_t>(last - first));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (++number_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return true;
}

bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const std::size_t count = source_.read(std::span(buffer_).subspan(end_), number_ + 1);
  end_ += count;
  return count > 0;
}

std::string LineReader::place() const {
  return fmt::format("{}:{}", path_, number_);
}

}  // namespace pslab::data
