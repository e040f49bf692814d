#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "cli/time_left.hpp"

namespace pslab::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

const char* kind_of_time(const run::PlannedRun& run) {
  return run.facts.backend == "sim" ? "simulated" : "of training";
}

}  // namespace

std::string main_metric_text(const run::Json& epoch_event) {
  const run::Json& metrics = epoch_event.at("metrics");
  if (metrics.empty()) return "";
  if (metrics.begin()->is_null()) return metrics.begin().key() + " not defined";
  return fmt::format("{} {:.4g}", metrics.begin().key(), run::to_double(metrics.begin().value()));
}

Progress::Progress(const run::ExperimentPlan& plan, const ProgressOptions& options)
    : plan_(plan), options_(options) {}

void Progress::clear() {
  if (line_shown_) fmt::print(stderr, "\r\033[K");
  line_shown_ = false;
}

void Progress::print(const std::string& line) {
  clear();
  fmt::print(stderr, "{}\n", line);
}

void Progress::show(const std::string& line) {
  fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width() - 1));
  std::fflush(stderr);
  line_shown_ = true;
}

std::string Progress::name_of(std::size_t run) const {
  return fmt::format("[{}/{}] {}", run + 1, plan_.runs.size(), plan_.runs[run].label);
}

void Progress::reused(const std::vector<std::size_t>& runs,
                      const std::vector<std::size_t>& of_another_build) {
  reused_ = runs.size();
  if (!options_.quiet) {
    const bool one = runs.size() == 1;
    print(fmt::format("{} of {} {} finished already; --force runs {} again", runs.size(),
                      counted(plan_.runs.size(), "run"), one ? "is" : "are", one ? "it" : "them"));
  }
  if (!of_another_build.empty()) {
    print(
        fmt::format("warning: {} of the finished runs {} made by another build of pslab; after a "
                    "change of the code, run with --force",
                    of_another_build.size(), of_another_build.size() == 1 ? "was" : "were"));
  }
}

void Progress::started(std::size_t run) {
  going_[run] = {};
  if (options_.terminal && !options_.quiet) show(name_of(run) + ": starting");
}

void Progress::said(std::size_t /*run*/, const std::string& text) {
  if (options_.quiet && !text.starts_with("warning: ")) return;
  if (!said_.insert(text).second) return;
  print("  " + text);
}

void Progress::epoch(std::size_t run, const run::Json& event) {
  Going& going = going_[run];
  going.epochs = event.at("epoch").get<int>();
  going.time_s = run::to_double(event.at("time_s"));
  going.metric = main_metric_text(event);
}

void Progress::ended(std::size_t run, const run::RunResult& result) {
  const Going going = going_[run];
  going_.erase(run);
  const double wall = Seconds(Clock::now() - going.begin).count();
  ++ended_;
  ended_seconds_ += wall;
  if (result.status == run::Status::kFailed) {
    print(fmt::format("{}: failed: {}", name_of(run), result.error));
  } else if (!options_.quiet) {
    std::string why = run::end_reason(plan_.runs[run], result);
    why = why.empty() || why == "all epochs done" ? "" : ", " + why;
    const auto epochs = static_cast<std::uint64_t>(going.epochs);
    print(fmt::format("{}: {}{}: {}, {} {}, {} wall{}{}", name_of(run), name(result.status), why,
                      counted(epochs, "epoch"), human_seconds(going.time_s),
                      kind_of_time(plan_.runs[run]), human_seconds(wall),
                      going.metric.empty() ? "" : ", ", going.metric));
  }
}

void Progress::stopping() {
  print(
      fmt::format("interrupted: ending the runs that go on and keeping what they have. Again to "
                  "kill them at once."));
}

double Progress::seconds_left(std::size_t run, const Going& going, Clock::time_point now) const {
  const double wall = Seconds(now - going.begin).count();
  return std::max(0.0, wall / going.epochs * (plan_.runs[run].facts.train.epochs - going.epochs));
}

// Of all runs at once, so that what is said beside each of them agrees.
double Progress::seconds_left_of_all(Clock::time_point now) const {
  double whole = ended_seconds_;  // of a run, on average
  std::size_t known = ended_;
  for (const auto& [run, going] : going_) {
    if (ended_ > 0 || going.epochs == 0) continue;
    whole += Seconds(now - going.begin).count() + seconds_left(run, going, now);
    ++known;
  }
  whole /= static_cast<double>(std::max<std::size_t>(known, 1));
  std::vector<double> lefts;
  for (const auto& [run, going] : going_) {
    const double since = Seconds(now - going.begin).count();
    lefts.push_back(going.epochs > 0 ? seconds_left(run, going, now)
                                     : std::max(0.0, whole - since));
  }
  return time_until_all_end(lefts, waiting(), whole);
}

std::string Progress::time_left(std::size_t run, const Going& going, Clock::time_point now) const {
  if (going.epochs == 0) return "";
  const std::string text = fmt::format(", {} left", human_seconds(seconds_left(run, going, now)));
  if (going_.size() + waiting() == 1) return text;
  return text + fmt::format(" (all runs {})", human_seconds(seconds_left_of_all(now)));
}

std::string Progress::status(std::size_t run, Going& going, Clock::time_point now) {
  const double wall = Seconds(now - going.begin).count();
  // On a terminal the line is rewritten too often for a rate since the last one.
  const double since = options_.terminal ? wall : Seconds(now - going.last_line).count();
  const int epochs = options_.terminal ? going.epochs : going.epochs - going.epochs_at_last_line;
  going.last_line = now;
  going.epochs_at_last_line = going.epochs;
  const int all = plan_.runs[run].facts.train.epochs;
  return fmt::format("{}: epoch {}/{} ({:.0f} %), {} {}, {} wall, {:.3g} epochs/s{}{}{}",
                     name_of(run), going.epochs, all, 100.0 * going.epochs / all,
                     human_seconds(going.time_s), kind_of_time(plan_.runs[run]),
                     human_seconds(wall), epochs / std::max(since, 1e-9),
                     time_left(run, going, now), going.metric.empty() ? "" : ", ", going.metric);
}

void Progress::tick() {
  if (options_.quiet || going_.empty()) return;
  const Clock::time_point now = Clock::now();
  if (options_.terminal) {
    const std::string more =
        going_.size() > 1 ? fmt::format("({} at once) ", going_.size()) : std::string();
    show(more + status(going_.begin()->first, going_.begin()->second, now));
    return;
  }
  for (auto& [run, going] : going_) {
    const double age = Seconds(now - going.last_line).count();
    if (age >= 0.5 * options_.interval) print(status(run, going, now));
  }
}

}  // namespace pslab::cli
