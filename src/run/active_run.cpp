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

ActiveRun::ActiveRun(std::size_t index, const RunProcess& process, RunEvents events)
    : index_(index), process_(process), events_(std::move(events)) {}

ActiveRun::~ActiveRun() {
  if (process_.pid > 0) {
    kill();
    while (::waitpid(process_.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(process_.tells);
  ::close(process_.prints);
}

bool ActiveRun::read() {
  read_available(process_.prints, printed_);
  take_lines(printed_, [this](const std::string& line) { take_print(line); });
  const bool ended = read_available(process_.tells, told_);
  take_lines(told_, [this](const std::string& line) {
    if (!line.empty()) take(line[0], line.substr(1));
  });
  return ended;
}

void ActiveRun::take_print(const std::string& line) {
  if (!line.empty()) last_print_ = line;
  events_.printed(line);
}

void ActiveRun::take(char what, const std::string& content) {
  Json json = Json::parse(content);
  switch (static_cast<Tell>(what)) {
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
      events_.epoch(content, json);
      keep_totals(json);
      result_.epochs.push_back(std::move(json));
      break;
    case Tell::kSucceeded:
      ended_ = Status::kSucceeded;
      break;
    case Tell::kInterrupted:
      ended_ = Status::kInterrupted;
      break;
    case Tell::kBadInput:
      bad_input_ = true;
      [[fallthrough]];
    case Tell::kFailed:
      ended_ = Status::kFailed;
      result_.error = json.get<std::string>();
      break;
  }
}

void ActiveRun::ask_to_stop() const {
  ::kill(process_.pid, SIGTERM);
}

void ActiveRun::kill() const {
  ::kill(process_.pid, SIGKILL);
}

void ActiveRun::time_out(double seconds) {
  timed_out_ = fmt::format("stopped after {} s of wall time (--timeout)", shortest(seconds));
  kill();
}

RunResult ActiveRun::finish() {
  int status = 0;
  rusage usage{};
  while (::wait4(process_.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  process_.pid = -1;
  read();
  peak_memory_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  const bool as_told = ended_.has_value() && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result_.status = as_told ? *ended_ : Status::kFailed;
  if (!as_told) result_.error = timed_out_.empty() ? how_it_died(status) : timed_out_;
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
