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
constexpr double kStuckBecauseOfOther = 2.0;
constexpr std::size_t kMostNamed = 8;

double seconds_since(RunHealth::Clock::time_point time) {
  return std::chrono::duration<double>(RunHealth::Clock::now() - time).count();
}
}  // namespace

void RunHealth::take(NodeId node, const Beat& beat) {
  if (node >= nodes_.size()) return;
  Node& of = nodes_[node];
  of.heard_at = Clock::now();
  if (!of.heard || beat.steps != of.beat.steps || beat.steps == 0) of.stepped_at = of.heard_at;
  of.heard = true;
  of.beat = beat;
}

void RunHealth::take_print(const std::string& line) {
  // "mpirun noticed that process rank 1 with PID 0 on node HOST exited on signal 9 (Killed)."
  constexpr std::string_view kRank = "process rank ";
  constexpr std::string_view kSignal = " exited on signal ";
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

std::string RunHealth::trouble() {
  if (watch_.answer_within <= 0.0) return {};
  const auto since = [](Clock::time_point time) { return seconds_since(time); };
  NodeId silent = 0;  // the one that has been for longest
  bool all_stalled = true;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const Node& of = nodes_[node];
    if (of.heard_at < nodes_[silent].heard_at) silent = node;
    all_stalled = all_stalled && of.heard && of.beat.idle > watch_.stall_limit;
  }
  const Node& quiet = nodes_[silent];
  const double limit =
      quiet.heard ? watch_.answer_within : std::max(kStartWithin, watch_.answer_within);
  if (since(quiet.heard_at) > limit) {
    return lost(silent, quiet.heard ? "has not answered" : "has not started",
                since(quiet.heard_at));
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

std::string RunHealth::lost(NodeId node, const char* how, double seconds) {
  culprit_ = node;
  return with_others(
      fmt::format("node {} {} for {:.0f} s; last, {}", node, how, seconds, last_of(node)));
}

std::string RunHealth::death() {
  if (culprit_ < 0 || static_cast<std::size_t>(culprit_) >= nodes_.size()) return {};
  const auto node = static_cast<NodeId>(culprit_);
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
