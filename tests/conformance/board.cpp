#include "tests/conformance/board.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pslab::test {

Board::Board(const std::string& file, WorkerId workers, NodeId nodes, Key keys)
    : keys_(keys),
      held_(workers * keys_),
      bits_(held_ + nodes * keys_),
      owner_(bits_ + nodes * keys_),
      open_(owner_ + keys_),
      ended_(open_ + nodes) {
  const std::size_t bytes = (ended_ + 1) * sizeof(int);
  int descriptor = -1;
  int flags = MAP_SHARED | MAP_ANONYMOUS;
  if (!file.empty()) {
    descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
      throw std::system_error(errno, std::generic_category(), file);
    }
    flags = MAP_SHARED;
  }
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  if (descriptor >= 0) ::close(descriptor);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  numbers_ = static_cast<std::atomic<int>*>(memory);
}

Board::~Board() {
  ::munmap(numbers_, (ended_ + 1) * sizeof(int));
}

}  // namespace pslab::test
