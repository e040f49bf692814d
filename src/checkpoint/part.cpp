#include "checkpoint/part.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::checkpoint {
namespace {

constexpr std::array<char, 8> kMagic = {'p', 's', 'l', 'a', 'b', 'c', 'p', '1'};

struct Head {
  std::array<char, 8> magic;
  std::uint64_t keys;
  std::uint64_t floats;
};

/// The keys, and what fills up to a multiple of 8 bytes.
std::size_t key_bytes(std::uint64_t keys) {
  return static_cast<std::size_t>((keys + 1) / 2 * 8);
}

class File {
 public:
  explicit File(const std::filesystem::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "wbe"), &std::fclose) {
    if (file_ == nullptr) fail();
  }

  void write(const void* bytes, std::size_t size) {
    if (size != 0 && std::fwrite(bytes, 1, size, file_.get()) != size) fail();
  }
  void finish() {
    if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    fail_run("cannot write the checkpoint {}: {}. Those before it are kept", path_.string(),
             std::strerror(errno));
  }

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

[[noreturn]] void damaged(const std::filesystem::path& file, const char* why) {
  fail_input("{}: a damaged checkpoint: {}", file.string(), why);
}

std::span<const char> map_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw InputError(open_failure(path.string(), errno));
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes =
      !known || size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (known && size < sizeof(Head)) damaged(path, "it is too short");
  if (bytes == MAP_FAILED) fail_input("cannot read {}: {}", path.string(), std::strerror(reason));
  return {static_cast<const char*>(bytes), size};
}

}  // namespace

void write_part(const std::filesystem::path& file, const KeySpace& keys, std::vector<Owned> owned) {
  std::ranges::sort(owned, {}, &Owned::key);
  std::vector<std::uint32_t> list;
  list.reserve(owned.size() + 1);
  Head head{kMagic, owned.size(), 0};
  for (const Owned& entry : owned) {
    list.push_back(static_cast<std::uint32_t>(entry.key));
    head.floats += keys.length(entry.key);
  }
  list.resize(key_bytes(owned.size()) / sizeof(std::uint32_t));
  File out(file);
  out.write(&head, sizeof(head));
  out.write(list.data(), list.size() * sizeof(std::uint32_t));
  for (const Owned& entry : owned) {
    out.write(entry.value, keys.length(entry.key) * sizeof(float));
  }
  out.finish();
}

Part::Part(const std::filesystem::path& file, const KeySpace& keys) : bytes_(map_file(file)) {
  Head head{};
  std::memcpy(&head, bytes_.data(), sizeof(head));
  if (head.magic != kMagic) damaged(file, "it does not begin as one");
  if (head.keys > keys.size() || head.floats > keys.total_floats() ||
      bytes_.size() != sizeof(head) + key_bytes(head.keys) + head.floats * sizeof(float)) {
    damaged(file, "its size is not what it should be");
  }
  keys_ = {reinterpret_cast<const std::uint32_t*>(bytes_.data() + sizeof(head)),
           static_cast<std::size_t>(head.keys)};
  floats_ = reinterpret_cast<const float*>(bytes_.data() + sizeof(head) + key_bytes(head.keys));
  if (std::ranges::adjacent_find(keys_, std::greater_equal<>{}) != keys_.end() ||
      (!keys_.empty() && keys_.back() >= keys.size())) {
    damaged(file, "its keys are not in order");
  }
  std::size_t offset = 0;
  for (std::size_t group = 0; group < keys.groups().size(); ++group) {
    const auto at = [&](std::size_t of) {
      return static_cast<std::size_t>(std::ranges::lower_bound(keys_, keys.first(of)) -
                                      keys_.begin());
    };
    const std::size_t length = keys.groups()[group].length;
    groups_.push_back({length, at(group), offset});
    offset += (at(group + 1) - at(group)) * length;
  }
  if (offset != head.floats) damaged(file, "its values are not those of its keys");
}

Part::~Part() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

Part::Part(Part&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      keys_(other.keys_),
      floats_(other.floats_),
      groups_(std::move(other.groups_)) {}

const float* Part::value(std::size_t rank) const {
  const auto after = std::ranges::upper_bound(groups_, rank, {}, &Group::rank);
  const Group& group = *(after - 1);
  return floats_ + group.offset + (rank - group.rank) * group.length;
}

}  // namespace pslab::checkpoint
