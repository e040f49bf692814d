#include "run/run_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "checkpoint/checkpoint.hpp"
#include "config/yaml.hpp"
#include "run/experiment.hpp"
#include "run/launch_marks.hpp"
#include "run/result_folder.hpp"
#include "run/run_body.hpp"
#include "run/trace_parts.hpp"

namespace pslab::run {
namespace {

std::string this_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) fail_run("cannot find this program's file: {}", error.message());
  return path.string();
}

std::vector<std::string> program_with(const RunFiles& files) {
  std::vector<std::string> words = launched_words(files);
  words.insert(words.begin(), {this_program(), "rank"});
  return words;
}

/// For messages.
RunFiles some_files() {
  return {.launch = "CONFIG.yaml", .checkpoints = {}};
}

struct Pipes {
  std::array<int, 2> tells{-1, -1};
  std::array<int, 2> prints{-1, -1};

  Pipes() {
    if (::pipe2(tells.data(), O_CLOEXEC) == 0 && ::pipe2(prints.data(), O_CLOEXEC) == 0) return;
    const int error = errno;
    close_all();
    fail_run("cannot make a pipe: {}", std::strerror(error));
  }
  void close_all() const {
    for (const int descriptor : {tells[0], tells[1], prints[0], prints[1]}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }
};

void prepare_child(pid_t parent, const Pipes& pipes, bool launcher) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(pipes.prints[1], STDOUT_FILENO);
  ::dup2(launcher ? pipes.tells[1] : pipes.prints[1], STDERR_FILENO);
}

[[noreturn]] void become(const Launch& launch) {
  ::setpgid(0, 0);  // a terminal's Ctrl-C is for the process that started this one
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& part : launch.command) {
    arguments.push_back(const_cast<char*>(part.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "cannot execute %s: %s\n", arguments[0], std::strerror(errno));
  ::_exit(127);
}

/// Makes what the launched processes need.
Launch prepare_launch(const PlannedRun& run, const Experiment& experiment, const RunFiles& files,
                      RunProcess& process) {
  process.launch = new_launch_name();
  Launch launch =
      experiment.backend->launch(experiment.cluster, program_with(files), process.launch);
  process.launcher = !launch.command.empty();
  if (!process.launcher) return launch;
  clean_up_after_dead_launches();
  launch.environment.emplace_back(kLaunchVariable, process.launch);
  write_file(files.launch, config::dump_yaml(run.sweep.config));
  process.leftovers.push_back(files.launch);
  for (const std::string& made : launch.folders) {
    std::error_code error;
    std::filesystem::create_directories(made, error);
    if (error) fail_run("cannot make the folder {}: {}", made, error.message());
    process.leftovers.emplace_back(made);
  }
  return launch;
}

}  // namespace

RunProcess start_run_process(const PlannedRun& run, const std::string& root,
                             const std::filesystem::path& folder, int from_epoch) {
  const Experiment experiment(run.sweep.config, root);
  RunProcess process;
  remove_trace_parts(folder, run);
  RunFiles files{.launch = launch_file(folder, run), .checkpoints = {}, .from_epoch = from_epoch};
  if (experiment.checkpoint.every != 0) {
    files.checkpoints = std::filesystem::absolute(folder) / run.id / checkpoint::kFolderName;
  }
  const Launch launch = prepare_launch(run, experiment, files, process);
  process.advice = launch.advice;
  process.watch = experiment.backend->watch();
  process.notes = launch.notes;
  const Pipes pipes;
  std::fflush(nullptr);  // or both processes would print what is buffered
  const pid_t parent = ::getpid();
  process.pid = ::fork();
  if (process.pid == 0) {
    prepare_child(parent, pipes, process.launcher);
    if (process.launcher) become(launch);
    be_run(run.sweep.config, root, files, pipes.tells[1]);
  }
  if (process.pid < 0) {
    const int error = errno;
    pipes.close_all();
    fail_run("cannot start a process: {}", std::strerror(error));
  }
  ::close(pipes.tells[1]);
  ::close(pipes.prints[1]);
  process.tells = pipes.tells[0];
  process.prints = pipes.prints[0];
  for (const int descriptor : {process.tells, process.prints}) {
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  return process;
}

void check_launches(const std::vector<const PlannedRun*>& runs, const std::string& root) {
  std::vector<std::string> problems;
  for (const PlannedRun* run : runs) {
    const Experiment experiment(run->sweep.config, root);
    try {
      experiment.backend->check_launch(experiment.cluster);
    } catch (const InputError& error) {
      if (std::ranges::find(problems, error.what()) == problems.end()) {
        problems.emplace_back(error.what());
      }
    }
  }
  if (!problems.empty()) throw InputError(join(problems, "\n"));
}

std::vector<std::string> launch_notes(const std::vector<const PlannedRun*>& runs,
                                      const std::string& root) {
  std::vector<std::string> notes;
  for (const PlannedRun* run : runs) {
    const Experiment experiment(run->sweep.config, root);
    for (const std::string& note :
         experiment.backend->launch(experiment.cluster, program_with(some_files()), "").notes) {
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  return notes;
}

std::string launch_line(const PlannedRun& run, const std::string& root) {
  const Experiment experiment(run.sweep.config, root);
  const Launch launch =
      experiment.backend->launch(experiment.cluster, program_with(some_files()), "");
  std::string line;
  for (const auto& [name, value] : launch.environment)
    line += name + "=" + shell_quoted(value) + " ";
  for (const std::string& word : launch.command) line += shell_quoted(word) + " ";
  if (!line.empty()) line.pop_back();
  return line;
}

}  // namespace pslab::run
