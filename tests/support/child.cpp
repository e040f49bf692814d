#include "tests/support/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace pslab::test {

namespace {

[[noreturn]] void child_main(const std::function<std::string()>& work, int out) {
  std::string text;
  try {
    text = work();
  } catch (const std::exception& error) {
    text = std::string("exception: ") + error.what();
  }
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(out, text.data() + written, text.size() - written);
    if (n <= 0) _exit(3);
    written += static_cast<std::size_t>(n);
  }
  _exit(0);
}

}  // namespace

ChildResult run_in_child(const std::function<std::string()>& work, double seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
  fflush(nullptr);  // or the child would print what is buffered here once more
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    close(ends[0]);
    child_main(work, ends[1]);
  }
  close(ends[1]);
  ChildResult result;
  std::array<char, 4096> buffer{};
  pollfd ready{ends[0], POLLIN, 0};
  bool late = false;
  for (;;) {
    const int answer = poll(&ready, 1, static_cast<int>(seconds * 1e3));
    if (answer == 0) {
      late = true;
      kill(child, SIGKILL);
      break;
    }
    const ssize_t n = read(ends[0], buffer.data(), buffer.size());
    if (n <= 0) break;
    result.text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (late) {
    result.text = fmt::format("did not end within {} s", seconds);
  } else if (WIFSIGNALED(status)) {
    result.text =
        fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (!result.finished) {
    result.text = fmt::format("exit code {}", WEXITSTATUS(status));
  }
  return result;
}

}  // namespace pslab::test
