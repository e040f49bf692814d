#include "data/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/error.hpp"

namespace pslab::data {
namespace {

/// What the new program starts with: directory and standard streams.
class Actions {
 public:
  Actions(const std::string& directory, const std::string& log) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
  }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<std::string> english_environment() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("LC_") && !text.starts_with("LANG")) result.emplace_back(text);
  }
  result.emplace_back("LC_ALL=C");
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, const std::string& directory,
                          const std::string& log) {
  std::vector<std::string> words = command;
  std::vector<std::string> variables = english_environment();
  const Actions actions(directory, log);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0].c_str(), actions.get(), nullptr,
                                 pointers(words).data(), pointers(variables).data());
  ProgramResult result;
  if (error == ENOENT) {
    result.found = false;
    return result;
  }
  if (error != 0) fail_input("cannot run {}: {}", words[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::ifstream file(log, std::ios::binary);
  result.output.assign(std::istreambuf_iterator<char>(file), {});
  return result;
}

}  // namespace pslab::data
