#include "run/active_run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "run/launch_marks.hpp"

namespace pslab::run {
namespace {

/// A launcher whose processes have told that the run has ended, or that was asked to end it, must
/// end within this.
constexpr std::chrono::seconds kEndWithin(8);

/// Appends what can be read now. True at the end of the pipe.
bool read_available(int descriptor, std::string& text) {
  std::array<char, 65536> part{};
  while (true) {
    const ssize_t size = ::read(descriptor, part.data(), part.size());
    if (size > 0) {
      text.append(part.data(), static_cast<std::size_t>(size));
    } else if (size == 0) {
      return true;
    } else if (errno != EINTR) {
      return errno != EAGAIN;
    }
  }
}

template <typename Take>
void take_lines(std::string& text, Take take) {
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    take(text.substr(begin, end - begin));
  }
  text.erase(0, begin);
}

}  // namespace

ActiveRun::ActiveRun(std::size_t index, NodeId nodes, RunProcess process, RunEvents events,
                     const std::vector<std::string>& before)
    : index_(index),
      process_(std::move(process)),
      health_(nodes, process_.watch, process_.advice),
      events_(std::move(events)) {
  for (const std::string& note : process_.notes) events_.said(note);
  for (const std::string& line : before) {
    keep_totals(result_.epochs.emplace_back(Json::parse(line)));
  }
}

ActiveRun::~ActiveRun() {
  if (process_.pid > 0) {
    kill();
    while (::waitpid(process_.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(process_.tells);
  ::close(process_.prints);
  remove_leftovers();
}

void ActiveRun::remove_leftovers() {
  for (const std::filesystem::path& path : process_.leftovers) {
    std::error_code ignored;  // it may never have been made
    std::filesystem::remove_all(path, ignored);
  }
  process_.leftovers.clear();
}

bool ActiveRun::read() {
  // All that it passed on is there when it has ended. What it started may still hold its pipes.
  const bool over = process_.launcher && has_ended();
  if (over) kill_launch(process_.launch);
  read_available(process_.prints, printed_);
  take_lines(printed_, [this](const std::string& line) { take_print(line); });
  const bool ended = read_available(process_.tells, told_);
  take_lines(told_, [this](const std::string& line) {
    std::vector<std::string> foreign;
    for (const Told& told : reader_.take(line, foreign)) take(told);
    for (const std::string& text : foreign) take_print(text);
  });
  return ended || over;
}

void ActiveRun::take_print(const std::string& line) {
  for (const Fragment& fragment : fragments(line)) {
    last_words_.take(fragment.text);
    if (!fragment.node) health_.take_print(fragment.text);
    events_.printed(fragment.node ? fmt::format("node {}: {}", *fragment.node, fragment.text)
                                  : fragment.text);
  }
}

bool ActiveRun::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process_.pid), &info, WEXITED | WNOHANG | WNOWAIT) ==
             0 &&
         info.si_pid != 0;
}

void ActiveRun::take(const Told& told) {
  Json json = Json::parse(told.text, nullptr, false);
  if (json.is_discarded()) {  // cut off, as happens when a launcher is ended
    damaged_ = true;
    take_print(told.text);
    return;
  }
  switch (told.what) {
    case Tell::kBeat:
      health_.take(told.node, to_beat(json));
      break;
    case Tell::kSay:
      events_.said(json.get<std::string>());
      break;
    case Tell::kLoaded:
      loaded_ = true;
      result_.data = json.get<std::vector<std::string>>();
      events_.loaded();
      for (const std::string& line : result_.data) events_.said(line);
      break;
    case Tell::kEpoch:
      if (!events_.epoch(told.text, json)) break;
      keep_totals(json);
      result_.epochs.push_back(std::move(json));
      break;
    case Tell::kSucceeded:
      ended_ = Status::kSucceeded;
      break;
    case Tell::kInterrupted:
      if (!asked_to_stop_) health_.interrupted();
      if (ended_ == Status::kFailed || !asked_to_stop_) break;  // a launcher ends the others, too
      ended_ = Status::kInterrupted;
      break;
    case Tell::kBadInput:
      bad_input_ = true;
      [[fallthrough]];
    case Tell::kFailed:
      if (ended_ == Status::kFailed) break;  // the first reason counts
      ended_ = Status::kFailed;
      result_.error = json.get<std::string>();
      if (process_.launcher) {
        const std::string node = fmt::format("node {}", told.node);
        if (!result_.error.starts_with(node + " ")) result_.error = node + ": " + result_.error;
        health_.failed(told.node);
      }
      break;
  }
}

void ActiveRun::ask_to_stop() {
  asked_to_stop_ = true;
  ::kill(process_.pid, SIGTERM);
}

void ActiveRun::kill() const {
  if (process_.pid < 0) return;  // it has ended; -1 would mean every process
  ::kill(process_.pid, SIGKILL);
  if (process_.launcher) kill_launch(process_.launch);
}

void ActiveRun::fail(const std::string& why) {
  if (killed_because_.empty()) killed_because_ = why;
  kill();
}

void ActiveRun::time_out(double seconds) {
  fail(fmt::format("stopped after {} s of wall time (--timeout){}", shortest(seconds),
                   health_.unstarted()));
}

void ActiveRun::check_health() {
  if (!killed_because_.empty() || cut_short_) return;
  if (process_.launcher && (ended_.has_value() || asked_to_stop_)) {
    const Clock::time_point now = Clock::now();
    if (!ending_since_) ending_since_ = now;
    cut_short_ = now - *ending_since_ > kEndWithin;
    if (cut_short_) kill();
    return;
  }
  if (ended_.has_value()) return;
  killed_because_ = health_.trouble();
  if (!killed_because_.empty()) kill();
}

// A launcher that has closed its pipe ends right after, unless something keeps it from that.
void ActiveRun::wait_a_little() const {
  constexpr std::chrono::milliseconds kStep(5);
  constexpr int kSteps = 600;
  for (int step = 0; step < kSteps && !has_ended(); ++step) std::this_thread::sleep_for(kStep);
  if (!has_ended()) kill();
}

RunResult ActiveRun::finish() {
  int status = 0;
  rusage usage{};
  if (process_.launcher) wait_a_little();
  while (::wait4(process_.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  if (process_.launcher) kill_launch(process_.launch);
  process_.pid = -1;
  read();
  remove_leftovers();
  peak_memory_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result_.status = Status::kFailed;
  if (!killed_because_.empty()) {
    result_.error = killed_because_;
  } else if (ended_.has_value() &&
             (well || cut_short_ || (process_.launcher && *ended_ != Status::kSucceeded))) {
    // A launcher's exit code says that a process failed, which told why.
    result_.status = *ended_;
    if (damaged_ && *ended_ == Status::kSucceeded) {
      result_.status = Status::kFailed;
      result_.error = "a part of what the run's processes told was lost; see its log.txt";
    }
    if (*ended_ == Status::kFailed) result_.error = health_.with_others(result_.error);
  } else if (asked_to_stop_ &&
             (process_.launcher || (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM))) {
    // A process that has just begun cannot tell yet.
    result_.status = Status::kInterrupted;
    result_.error = "";
  } else {
    result_.error = death(status);
  }
  return std::move(result_);
}

std::string ActiveRun::death(int wait_status) const {
  if (!process_.launcher) return how_it_died(wait_status);
  std::string text = WIFSIGNALED(wait_status) ? "" : health_.death();
  if (text.empty()) text = how_it_died(wait_status) + health_.unstarted();
  return health_.with_others(text);
}

std::string ActiveRun::how_it_died(int wait_status) const {
  std::string text = process_.launcher ? "the launcher (mpirun)" : "the run's process";
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* abbreviation = ::sigabbrev_np(signal);
    text += fmt::format(" was killed by SIG{} ({})",
                        abbreviation == nullptr ? fmt::format("{}", signal) : abbreviation,
                        ::strsignal(signal));
    if (signal == SIGKILL && !process_.launcher) {
      text +=
          "; the system does that when memory runs out ('pslab check' estimates what is needed)";
    }
  } else {
    text += fmt::format(" ended with exit code {} before its run did", WEXITSTATUS(wait_status));
  }
  const std::string last = last_words_.text();
  if (last.find("Cannot allocate memory") != std::string::npos) {
    text += ". Memory ran out, or a limit of it is too low ('ulimit -v')";
  }
  return last.empty() ? text : text + ". It last printed: " + last;
}

}  // namespace pslab::run
