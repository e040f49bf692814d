#include "data/byte_source.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kMaxUnpack = std::size_t{1} << 30;  ///< zlib counts in 32 bits

}  // namespace

struct ByteSource::Gzip {
  Gzip() : packed(std::size_t{1} << 18) {
    // 15 window bits, + 16: expect the gzip header and check its checksum.
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() { inflateEnd(&stream); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  z_stream stream{};
  std::vector<char> packed;
  bool inside_member = false;
  int members = 0;
};

ByteSource::ByteSource(const std::string& path) : path_(path) {
  // A pipe that nobody writes to would be waited for; regular files take no notice of the flag.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail_input("{}: cannot open: {}", path_, open_failure(path_, errno));
  const auto refuse = [this](std::string_view reason) {
    ::close(file_);
    fail_input("{}: {}", path_, reason);
  };
  if (::fstat(file_, &at_open_) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(at_open_.st_mode)) refuse("is a directory; name the file in it that has the data");
  if (!S_ISREG(at_open_.st_mode)) refuse("not a regular file; store the data in a file first");
  if (at_open_.st_size == 0) refuse("the file is empty (0 bytes); get it again, or name another");

  std::array<unsigned char, 2> magic{};
  if (::pread(file_, magic.data(), magic.size(), 0) < 0) refuse(std::strerror(errno));
  if (magic[0] == 0x1F && magic[1] == 0x8B) gzip_ = std::make_unique<Gzip>();
}

ByteSource::~ByteSource() {
  ::close(file_);
}

std::size_t ByteSource::read(std::span<char> room, std::uint64_t line) {
  const std::size_t count = gzip_ ? read_gzip(room, line) : read_raw(room);
  if (count == 0) check_unchanged();
  return count;
}

std::size_t ByteSource::read_raw(std::span<char> room) {
  while (true) {
    const ssize_t count = ::read(file_, room.data(), room.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail_input("{}: cannot read: {}", path_, std::strerror(errno));
  }
}

std::size_t ByteSource::read_gzip(std::span<char> room, std::uint64_t line) {
  z_stream& stream = gzip_->stream;
  room = room.first(std::min(room.size(), kMaxUnpack));
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(room.size());
  while (stream.avail_out == room.size()) {
    if (stream.avail_in == 0) {
      const std::size_t count = read_raw(gzip_->packed);
      if (count == 0) {
        check_unchanged();
        if (gzip_->inside_member) {
          fail_input(
              "{}:{}: the gzip data end before this line does; the file is truncated, get it again",
              path_, line);
        }
        return 0;
      }
      stream.next_in = reinterpret_cast<Bytef*>(gzip_->packed.data());
      stream.avail_in = static_cast<uInt>(count);
    }
    if (!gzip_->inside_member) {
      inflateReset(&stream);
      gzip_->inside_member = true;
      ++gzip_->members;
    }
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      gzip_->inside_member = false;  // what follows, if anything, is another member
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail_input("{}:{}: damaged gzip data in this line or later, in member {}: {}; get it again",
                 path_, line, gzip_->members,
                 stream.msg != nullptr ? stream.msg : "zlib gives no reason");
    }
  }
  return room.size() - stream.avail_out;
}

void ByteSource::check_unchanged() const {
  struct stat now {};
  if (::fstat(file_, &now) != 0) fail_input("{}: {}", path_, std::strerror(errno));
  if (now.st_size != at_open_.st_size || now.st_mtim.tv_sec != at_open_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != at_open_.st_mtim.tv_nsec) {
    fail_input(
        "{}: the file changed while it was read ({} bytes at first, {} bytes now); start again "
        "when "
        "nothing writes to it",
        path_, at_open_.st_size, now.st_size);
  }
}

}  // namespace pslab::data
