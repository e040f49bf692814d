#include "run/run_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/error.hpp"
#include "data/catalog.hpp"
#include "run/memory.hpp"
#include "run/run_result.hpp"
#include "run/training.hpp"

namespace pslab::run {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<bool> training{false};
int tell_descriptor = -1;

void tell_bytes(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(tell_descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);  // nobody listens
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void tell(Tell what, const Json& content) {
  const std::string line = static_cast<char>(what) + to_text(content) + "\n";
  tell_bytes(line.data(), line.size());
}

void on_terminate(int /*signal*/) {
  if (!training) {  // nothing that could be kept, and reading data takes no notice of the flag
    const char line[] = {static_cast<char>(Tell::kInterrupted), 'n', 'u', 'l', 'l', '\n'};
    tell_bytes(line, sizeof(line));
    ::_exit(0);
  }
  stop_requested = true;
}

void set_signal(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

// Results say nothing about this computer, so its cache of data sets is left out of their names.
std::vector<std::string> without_cache_path(std::vector<std::string> lines) {
  std::string cache;
  try {
    cache = data::cache_directory() + "/";
  } catch (const InputError&) {
    return lines;
  }
  for (std::string& line : lines) {
    for (std::size_t at; (at = line.find(cache)) != std::string::npos;)
      line.erase(at, cache.size());
  }
  return lines;
}

void run_to_the_end(const PlannedRun& run, const std::string& root) {
  Experiment experiment(run.sweep.config, root);
  const ClusterSpec& cluster = experiment.cluster;
  LoadContext context{cluster.seed, cluster.nodes, cluster.workers_per_node, root,
                      [](const std::string& text) { tell(Tell::kSay, text); }};
  experiment.workload->load(context);
  Training training_program(experiment, [&cluster](const EpochRecord& record) {
    tell(Tell::kEpoch, epoch_event(record, cluster.workers_per_node));
  });
  const MemoryEstimate memory = estimate_memory(experiment, training_program.plan());
  const std::string warning = memory_warning(memory.total(), usable_memory());
  if (!warning.empty()) tell(Tell::kSay, warning);
  tell(Tell::kLoaded, without_cache_path(experiment.workload->data_report()));
  training = true;
  experiment.backend->execute(cluster, training_program, stop_requested);
}

void run_and_tell(const PlannedRun& run, const std::string& root) {
  try {
    run_to_the_end(run, root);
    tell(Tell::kSucceeded, nullptr);
  } catch (const InputError& error) {
    tell(training ? Tell::kFailed : Tell::kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    tell(Tell::kFailed, "out of memory. 'pslab check' estimates what a run needs.");
  } catch (const std::exception& error) {
    tell(stop_requested ? Tell::kInterrupted : Tell::kFailed, error.what());
  }
}

[[noreturn]] void be_run_process(const PlannedRun& run, const std::string& root, pid_t parent,
                                 int tells, int prints) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  tell_descriptor = tells;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(prints, STDOUT_FILENO);
  ::dup2(prints, STDERR_FILENO);
  set_signal(SIGPIPE, SIG_IGN);
  set_signal(SIGTERM, on_terminate);
  // The terminal sends SIGINT to all processes, and the one that started this one decides. Blocked
  // and not ignored, because SimGrid sets a handler of its own, which exits.
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  run_and_tell(run, root);
  std::fflush(nullptr);
  // Not exit(): static objects of the program and of SimGrid need no orderly end.
  ::_exit(0);
}

}  // namespace

RunProcess start_run_process(const PlannedRun& run, const std::string& root) {
  std::array<int, 2> tells{};
  std::array<int, 2> prints{};
  if (::pipe2(tells.data(), O_CLOEXEC) != 0) {
    fail_run("cannot make a pipe: {}", std::strerror(errno));
  }
  if (::pipe2(prints.data(), O_CLOEXEC) != 0) {
    ::close(tells[0]);
    ::close(tells[1]);
    fail_run("cannot make a pipe: {}", std::strerror(errno));
  }
  std::fflush(nullptr);  // or both processes would print what is buffered
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) be_run_process(run, root, parent, tells[1], prints[1]);
  const int error = errno;
  ::close(tells[1]);
  ::close(prints[1]);
  if (pid < 0) {
    ::close(tells[0]);
    ::close(prints[0]);
    fail_run("cannot start a process: {}", std::strerror(error));
  }
  for (const int descriptor : {tells[0], prints[0]}) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return {pid, tells[0], prints[0]};
}

}  // namespace pslab::run
