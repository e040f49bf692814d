// How the processes of a run are, from what they tell: which of them has stopped answering or died,
// and what the others were waiting for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/backend.hpp"
#include "run/tell.hpp"

namespace pslab::run {

class RunHealth {
 public:
  using Clock = std::chrono::steady_clock;

  /// `advice`: what to look at when no process comes up.
  RunHealth(NodeId nodes, const Watch& watch, std::string advice)
      : watch_(watch), advice_(std::move(advice)), nodes_(nodes) {}

  void take(NodeId node, const Beat& beat);
  /// The launcher says there which process died, and how. Not what a process printed.
  void take_print(const std::string& line);
  /// A process has told that it failed: with_others() leaves it out.
  void failed(NodeId node) { culprit_ = static_cast<std::int64_t>(node); }

  /// A process has told that it ends because it was asked to, though not from here.
  void interrupted() { interrupted_ = true; }

  /// Why the run must be killed now; "": it need not be. To be asked several times a second: what
  /// was told while nobody asked may not have been read, so that such a time does not count.
  std::string trouble();
  /// "node 1 was killed by SIGKILL; ...": what is known of an end too early; "": nothing.
  std::string death() const;
  /// "; no node had started: ADVICE", unless one had or there is no advice.
  std::string unstarted() const;
  /// `text`, and what the others did last and waited for, as far as is known.
  std::string with_others(std::string text) const;

 private:
  struct Node {
    bool heard = false;
    Beat beat;
    Clock::time_point heard_at = Clock::now();  ///< before it was heard: the beginning
    Clock::time_point stepped_at;               ///< when its steps last grew
  };
  Clock::time_point watched_time() const;
  double seconds_since(Clock::time_point time) const;
  void forgive_own_pause();
  /// Seconds that a node may be silent now, and since when it is.
  std::pair<double, Clock::time_point> silence_of(const Node& node) const;
  std::string last_of(NodeId node) const;
  std::string silence(double seconds, bool heard) const;
  std::string lost(NodeId node, const char* how, double seconds);

  Watch watch_;
  std::string advice_;
  std::vector<Node> nodes_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point looked_at_ = began_;  ///< when trouble() was last asked for
  Clock::duration missed_{};  ///< how long nobody looked: the others' times leave it out
  std::optional<Clock::time_point> first_heard_;  ///< of any node
  std::int64_t culprit_ = -1;  ///< the node that ended the run; -1: none is known
  std::string signal_;         ///< that killed it; empty: none did
  bool interrupted_ = false;
  bool launcher_spoke_ = false;
};

}  // namespace pslab::run
