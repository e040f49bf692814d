#include "data/text_file_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

}  // namespace

TextFileWriter::TextFileWriter(const std::string& path)
    : path_(path), partial_path_(path + ".partial") {
  file_ = ::open(partial_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail_input("{}: cannot create: {}", partial_path_, std::strerror(errno));
}

TextFileWriter::~TextFileWriter() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(partial_path_.c_str());
}

void TextFileWriter::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBufferSize) flush();
}

void TextFileWriter::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_input("{}: cannot write: {}", partial_path_, std::strerror(errno));
    done += static_cast<std::size_t>(count);
  }
  buffer_.clear();
}

void TextFileWriter::finish() {
  flush();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 || std::rename(partial_path_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(partial_path_.c_str());
    fail_input("{}: cannot finish: {}", path_, std::strerror(reason));
  }
}

}  // namespace pslab::data
