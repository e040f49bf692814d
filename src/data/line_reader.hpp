// Lines of a plain or gzip text file, one at a time, of any length. Every reader of text data sits
// on this, so that all of them treat line ends, byte order marks and broken files alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"

namespace pslab::data {

/// Accepted without a word: CRLF line ends, a UTF-8 byte order mark, no line end after the last
/// line, several gzip members. Bytes are not interpreted otherwise (NUL, invalid UTF-8 pass).
class LineReader {
 public:
  /// Throws InputError as ByteSource does.
  explicit LineReader(const std::string& path);

  /// Moves to the next line; false at the end of the file. `line` has no line end and is valid
  /// until the next call. Throws InputError as ByteSource::read does.
  bool next(std::string_view& line);

  /// 1-based number of the line that `next` gave last.
  std::uint64_t number() const { return number_; }
  const std::string& path() const { return path_; }
  /// "FILE:LINE" of the last line, for messages.
  std::string place() const;

 private:
  bool fill();

  std::string path_;
  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    ///< first byte of the buffer that was not handed out
  std::size_t end_ = 0;      ///< behind the last byte read
  std::size_t scanned_ = 0;  ///< no line end before this one, so long lines are not scanned twice
  std::uint64_t number_ = 0;
};

}  // namespace pslab::data
