#include "run/active_run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.hpp"

namespace pslab::run {
namespace {

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

ActiveRun::ActiveRun(std::size_t index, NodeId nodes, RunProcess process, RunEvents events)
    : index_(index),
      process_(std::move(process)),
      health_(nodes, process_.watch),
      events_(std::move(events)) {
  for (const std::string& note : process_.notes) events_.said(note);
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
  read_available(process_.prints, printed_);
  take_lines(printed_, [this](const std::string& line) { take_print(line); });
  const bool ended = read_available(process_.tells, told_);
  take_lines(told_, [this](const std::string& line) {
    bool foreign = false;
    const std::optional<Told> told = reader_.take(line, foreign);
    if (told) take(*told);
    if (foreign) take_print(line);
  });
  return ended;
}

void ActiveRun::take_print(const std::string& line) {
  if (!line.empty()) last_print_ = line;
  health_.take_print(line);
  events_.printed(line);
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
      events_.epoch(told.text, json);
      keep_totals(json);
      result_.epochs.push_back(std::move(json));
      break;
    case Tell::kSucceeded:
      ended_ = Status::kSucceeded;
      break;
    case Tell::kInterrupted:
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
        result_.error = fmt::format("node {}: {}", told.node, result_.error);
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
  ::kill(process_.pid, SIGKILL);
}

void ActiveRun::time_out(double seconds) {
  killed_because_ = fmt::format("stopped after {} s of wall time (--timeout)", shortest(seconds));
  kill();
}

void ActiveRun::check_health() {
  if (!killed_because_.empty() || ended_.has_value()) return;
  killed_because_ = health_.trouble();
  if (!killed_because_.empty()) kill();
}

RunResult ActiveRun::finish() {
  int status = 0;
  rusage usage{};
  while (::wait4(process_.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  process_.pid = -1;
  read();
  remove_leftovers();
  peak_memory_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result_.status = Status::kFailed;
  if (!killed_because_.empty()) {
    result_.error = killed_because_;
  } else if (ended_.has_value() && (well || (process_.launcher && *ended_ != Status::kSucceeded))) {
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
    result_.error = process_.launcher ? health_.death() : "";
    if (result_.error.empty()) result_.error = how_it_died(status);
    if (process_.launcher) result_.error = health_.with_others(result_.error);
  }
  return std::move(result_);
}

std::string ActiveRun::how_it_died(int wait_status) const {
  std::string text;
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* abbreviation = ::sigabbrev_np(signal);
    text = fmt::format("the run's process was killed by SIG{} ({})",
                       abbreviation == nullptr ? fmt::format("{}", signal) : abbreviation,
                       ::strsignal(signal));
    if (signal == SIGKILL) {
      text +=
          "; the system does that when memory runs out ('pslab check' estimates what is needed)";
    }
  } else {
    text = fmt::format("the run's process ended with exit code {} before its run did",
                       WEXITSTATUS(wait_status));
  }
  return last_print_.empty() ? text : text + ". It last printed: " + printable(last_print_);
}

}  // namespace pslab::run
