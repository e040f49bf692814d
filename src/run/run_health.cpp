#include "run/run_health.hpp"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"

namespace pslab::run {

namespace {
constexpr double kStartWithin = 60.0;  // seconds
constexpr double kStartEach = 0.1;     // seconds that nodes may start one after the other
constexpr double kStuckBecauseOfOther = 2.0;
constexpr double kAtOnce = 1.5;  // several that fall silent within this time have one reason
constexpr std::size_t kMostNamed = 8;
/// Whoever watches looks several times a second, unless it is kept from that itself.
constexpr std::chrono::seconds kLooksWithin(1);
}  // namespace

RunHealth::Clock::time_point RunHealth::watched_time() const {
  return Clock::now() - missed_;
}

double RunHealth::seconds_since(Clock::time_point time) const {
  return std::chrono::duration<double>(watched_time() - time).count();
}

// What was told meanwhile has not been read yet.
void RunHealth::forgive_own_pause() {
  const Clock::time_point now = Clock::now();
  if (now - looked_at_ > kLooksWithin) missed_ += now - looked_at_;
  looked_at_ = now;
}

void RunHealth::take(NodeId node, const Beat& beat) {
  if (node >= nodes_.size()) return;
  Node& of = nodes_[node];
  of.heard_at = watched_time();
  if (!of.heard || beat.steps != of.beat.steps || beat.steps == 0) of.stepped_at = of.heard_at;
  of.heard = true;
  of.beat = beat;
  if (!first_heard_) first_heard_ = of.heard_at;
}

void RunHealth::take_print(const std::string& line) {
  // "mpirun noticed that process rank 1 with PID 0 on node HOST exited on signal 9 (Killed)."
  launcher_spoke_ = launcher_spoke_ || !line.empty();
  constexpr std::string_view kRank = "process rank ";
  constexpr std::string_view kSignal = " exited on signal ";
  // "Process name: [[4531,1],1]": the first that ended with an exit code that is not 0.
  constexpr std::string_view kExited = "Process name: [[";
  if (const std::size_t exited = line.find(kExited); culprit_ < 0 && exited != std::string::npos) {
    const std::size_t comma = line.rfind(',');
    if (comma > exited + kExited.size() && comma != std::string::npos) {
      culprit_ = std::atol(line.c_str() + comma + 1);
    }
    return;
  }
  const std::size_t rank = line.find(kRank);
  const std::size_t signal = line.find(kSignal);
  if (culprit_ >= 0 || rank == std::string::npos || signal == std::string::npos) return;
  culprit_ = std::atol(line.c_str() + rank + kRank.size());
  const int number = std::atoi(line.c_str() + signal + kSignal.size());
  const char* name = ::sigabbrev_np(number);
  signal_ = name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

std::string RunHealth::last_of(NodeId node) const {
  const Node& of = nodes_[node];
  if (!of.heard) return fmt::format("node {} had not started", node);
  std::string text = fmt::format("node {} {}", node, of.beat.event);
  if (!of.beat.waits.empty()) text += ": " + of.beat.waits;
  return text;
}

std::pair<double, RunHealth::Clock::time_point> RunHealth::silence_of(const Node& node) const {
  if (node.heard) return {watch_.answer_within, node.heard_at};
  if (!first_heard_) return {std::max(kStartWithin, watch_.answer_within), began_};
  return {watch_.answer_within + kStartEach * static_cast<double>(nodes_.size()), *first_heard_};
}

std::string RunHealth::trouble() {
  if (watch_.answer_within <= 0.0) return {};
  forgive_own_pause();
  const auto since = [this](Clock::time_point time) { return seconds_since(time); };
  NodeId silent = 0;  // the one that has been for longest
  NodeId last = 0;    // the one that was heard of last
  bool all_stalled = true;
  bool any_heard = false;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const Node& of = nodes_[node];
    if (of.heard_at < nodes_[silent].heard_at) silent = node;
    if (of.heard_at > nodes_[last].heard_at) last = node;
    any_heard = any_heard || of.heard;
    all_stalled = all_stalled && of.heard && of.beat.idle > watch_.stall_limit;
  }
  const Node& quiet = nodes_[silent];
  const auto [limit, silent_since] = silence_of(quiet);
  if (since(silent_since) > limit) {
    if (nodes_.size() > 1 && quiet.heard == any_heard &&
        since(nodes_[last].heard_at) > limit - kAtOnce) {
      return with_others(silence(since(nodes_[last].heard_at), any_heard));
    }
    return lost(silent, quiet.heard ? "has not answered" : "has not started", since(silent_since));
  }
  if (std::ranges::any_of(nodes_,
                          [](const Node& node) { return node.heard && !node.beat.joined; }) &&
      since(began_) > std::max(kStartWithin, watch_.answer_within)) {
    return with_others(silence(since(began_), false));
  }
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const Node& of = nodes_[node];
    // A node may be stuck because another has been stopped: that one is named first.
    if (of.heard && since(of.stepped_at) > watch_.answer_within + kStuckBecauseOfOther) {
      return lost(node, "tells that it lives but has done nothing", since(of.stepped_at));
    }
  }
  if (!all_stalled) return {};
  return with_others(
      fmt::format("no worker went on for {} s (real.stall_limit)", shortest(watch_.stall_limit)));
}

std::string RunHealth::silence(double seconds, bool heard) const {
  if (!heard) return fmt::format("the run did not begin for {:.0f} s{}", seconds, unstarted());
  return fmt::format(
      "no node has answered for {:.0f} s; the launcher (mpirun) or the machine may be stopped",
      seconds);
}

std::string RunHealth::unstarted() const {
  if (std::ranges::any_of(nodes_, [](const Node& node) { return node.heard; })) return {};
  return advice_.empty() ? "" : "; no node had started: " + advice_;
}

std::string RunHealth::lost(NodeId node, const char* how, double seconds) {
  culprit_ = node;
  return with_others(
      fmt::format("node {} {} for {:.0f} s; last, {}", node, how, seconds, last_of(node)));
}

std::string RunHealth::death() const {
  if (culprit_ < 0 || static_cast<std::size_t>(culprit_) >= nodes_.size()) {
    // When it fails by itself, it asks its processes to end, too, but says why.
    if (!interrupted_ || launcher_spoke_) return {};
    return "the launcher (mpirun) was asked to end by a signal that did not come from pslab";
  }
  const auto node = static_cast<NodeId>(culprit_);
  if (signal_.empty()) {
    return fmt::format("node {} {}; last, {}", node,
                       interrupted_ ? "was asked to end by SIGTERM, which did not come from pslab"
                                    : "ended before the run did",
                       last_of(node));
  }
  return fmt::format("node {} was killed by {}{}; last, {}", node, signal_,
                     signal_ == "SIGKILL" ? " (the system does that when memory runs out)" : "",
                     last_of(node));
}

std::string RunHealth::with_others(std::string text) const {
  std::vector<std::string> texts;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    if (culprit_ != static_cast<std::int64_t>(node) && nodes_[node].heard) {
      texts.push_back(last_of(node));
    }
  }
  if (texts.empty()) return text;
  const std::size_t more = texts.size() > kMostNamed ? texts.size() - kMostNamed : 0;
  texts.resize(std::min(texts.size(), kMostNamed));
  text += text.ends_with('.') ? " Meanwhile " : ". Meanwhile ";
  text += join(texts, "; ");
  if (more > 0) text += fmt::format("; and {} more", more);
  return text;
}

}  // namespace pslab::run
