#include "run/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "base/hash.hpp"
#include "run/result_folder.hpp"

namespace pslab::run {
namespace {

std::string quoted_for_shell(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// What git says, without the last line end; "" if it fails.
std::string git(const std::string& root, const std::string& arguments) {
  const std::string command =
      fmt::format("git -C {} {} 2>/dev/null", quoted_for_shell(root), arguments);
  struct Close {
    void operator()(std::FILE* pipe) const { ::pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "re"));
  if (pipe == nullptr) return "";
  std::string output;
  std::array<char, 256> part{};
  while (std::fgets(part.data(), static_cast<int>(part.size()), pipe.get()) != nullptr) {
    output += part.data();
  }
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

std::string commit_of(const std::string& root) {
  // A folder inside somebody else's repository is no checkout of pslab.
  std::error_code error;
  const std::string top = git(root, "rev-parse --show-toplevel");
  if (top.empty() || !std::filesystem::equivalent(top, root, error)) return "unknown";
  const std::string commit = git(root, "rev-parse --short=10 --verify HEAD");
  if (commit.empty()) return "unknown";
  const bool changed = !git(root, "status --porcelain --untracked-files=no").empty();
  return changed ? commit + "-dirty" : commit;
}

std::string program_fingerprint() {
  const auto bytes = read_file("/proc/self/exe");
  return bytes ? fmt::format("{:016x}", fnv1a(*bytes)) : "";
}

std::string slow_build() {
  const std::string sanitizer = PSLAB_SANITIZER;
  if (!sanitizer.empty()) return "built with the sanitizer '" + sanitizer + "'";
  const std::string type = PSLAB_BUILD_TYPE;
  return type == "Debug" ? "a debug build" : "";
}

Json environment(const std::string& root, const std::string& command_line) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  utsname system{};
  ::uname(&system);
  const std::string commit = commit_of(root);
  return {{"host", host.data()},
          {"cores", std::thread::hardware_concurrency()},
          {"processor", processor()},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"compiler", std::string(PSLAB_COMPILER)},
          {"build_type", PSLAB_BUILD_TYPE},
          {"sanitizer", PSLAB_SANITIZER},
          {"version", PSLAB_VERSION},
          {"commit", commit},
          {"dirty", commit.ends_with("-dirty")},
          {"program", program_fingerprint()},
          {"command_line", command_line}};
}

}  // namespace pslab::run
