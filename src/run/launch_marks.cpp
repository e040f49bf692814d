#include "run/launch_marks.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace pslab::run {
namespace {

namespace fs = std::filesystem;

/// The number that all of `text` is; 0: it is none.
pid_t number(std::string_view text) {
  pid_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

bool has_mark(pid_t pid, const std::string& mark) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  const std::string variables((std::istreambuf_iterator<char>(file)), {});
  const std::size_t at = variables.find(mark);
  return at == 0 || (at != std::string::npos && variables[at - 1] == '\0');
}

std::vector<pid_t> processes_of(const std::string& name) {
  const std::string mark = fmt::format("{}={}", kLaunchVariable, name) + '\0';
  std::vector<pid_t> found;
  std::error_code ignored;  // processes come and go
  for (fs::directory_iterator at("/proc", ignored), end; at != end; at.increment(ignored)) {
    const pid_t pid = number(at->path().filename().string());
    if (pid > 0 && pid != ::getpid() && has_mark(pid, mark)) found.push_back(pid);
  }
  return found;
}

/// The process in the name of a launch; 0: it is no such name.
pid_t owner(std::string_view name) {
  constexpr std::string_view kPrefix = "pslab-";
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos || number(name.substr(dash + 1)) == 0) return 0;
  return number(name.substr(0, dash));
}

}  // namespace

std::string new_launch_name() {
  static int launches = 0;
  return fmt::format("pslab-{}-{}", ::getpid(), ++launches);
}

void kill_launch(const std::string& name) {
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<pid_t> alive = processes_of(name);
    if (alive.empty()) return;
    for (const pid_t pid : alive) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void clean_up_after_dead_launches() {
  for (const char* place : {"/tmp", "/dev/shm"}) {
    std::error_code ignored;  // folders of other users cannot be removed
    std::vector<fs::path> left;
    for (fs::directory_iterator at(place, ignored), end; at != end; at.increment(ignored)) {
      const pid_t pid = owner(at->path().filename().string());
      if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) left.push_back(at->path());
    }
    for (const fs::path& path : left) {
      kill_launch(path.filename().string());
      fs::remove_all(path, ignored);
    }
  }
}

}  // namespace pslab::run
