// The bytes of a regular file, unpacked on the way if the file is gzip. Only LineReader uses this.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace pslab::data {

/// Reads forward once. Every error is an InputError with the path and the system's reason: missing,
/// a directory, a pipe, no permission, empty, truncated gzip, or changed by somebody while it was
/// read.
class ByteSource {
 public:
  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `room` and returns how many bytes; 0 only at the end of the data, which is
  /// also where a truncated or changed file is found out. `line`: the first line that is not whole
  /// yet, for messages.
  std::size_t read(std::span<char> room, std::uint64_t line);

 private:
  struct Gzip;
  std::size_t read_raw(std::span<char> room);
  std::size_t read_gzip(std::span<char> room, std::uint64_t line);
  void check_unchanged() const;

  std::string path_;
  int file_ = -1;
  struct stat at_open_ {};
  std::unique_ptr<Gzip> gzip_;  ///< null for plain files
};

}  // namespace pslab::data
