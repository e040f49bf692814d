// Writes a text file that appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

namespace pslab::data {

class TextFileWriter {
 public:
  /// InputError if the file cannot be created.
  explicit TextFileWriter(const std::string& path);
  ~TextFileWriter();  ///< removes the unfinished file if `finish` was not reached
  TextFileWriter(const TextFileWriter&) = delete;
  TextFileWriter& operator=(const TextFileWriter&) = delete;

  /// InputError if the disk is full.
  void write(std::string_view text);
  void finish();

 private:
  void flush();

  std::string path_;
  std::string partial_path_;
  int file_ = -1;
  std::string buffer_;
};

}  // namespace pslab::data
