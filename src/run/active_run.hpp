// A run that goes on in a process or several, seen from outside: takes in what they tell and finds
// out how it ended.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "run/last_words.hpp"
#include "run/run_health.hpp"
#include "run/run_process.hpp"
#include "run/run_result.hpp"
#include "run/tell.hpp"

namespace pslab::run {

using Clock = std::chrono::steady_clock;

/// What happened, in order. Called from ActiveRun::read.
struct RunEvents {
  std::function<void(const std::string& text)> said;     ///< for the user and the log
  std::function<void(const std::string& text)> printed;  ///< for the log
  std::function<void()> loaded;
  /// False: it could not be kept.
  std::function<bool(const std::string& line, const Json& event)> epoch;
};

class ActiveRun {
 public:
  /// `nodes`: of the run's cluster; `before`: the events of epochs that it goes on from.
  ActiveRun(std::size_t index, NodeId nodes, RunProcess process, RunEvents events,
            const std::vector<std::string>& before);
  ~ActiveRun();
  ActiveRun(const ActiveRun&) = delete;
  ActiveRun& operator=(const ActiveRun&) = delete;

  std::size_t index() const { return index_; }
  int tells() const { return process_.tells; }
  int prints() const { return process_.prints; }
  Clock::time_point begin() const { return begin_; }
  bool loaded() const { return loaded_; }

  /// Takes in all that is there. True: the process has closed its pipe or ended, so finish() will
  /// not block long.
  bool read();
  /// Whether check_health() must be called several times a second.
  bool watched() const { return process_.launcher || process_.watch.answer_within > 0.0; }
  void ask_to_stop();
  void kill() const;
  /// Kills it; the reason becomes the run's error, unless there is one already.
  void fail(const std::string& why);
  /// Kills it, because it took longer than this.
  void time_out(double seconds);
  /// Kills it if one of its processes does not answer any more, nobody in it goes on, or it does
  /// not end when it should.
  void check_health();

  /// Waits for the process. `bad_input`: its data were refused.
  RunResult finish();
  bool bad_input() const { return bad_input_; }
  std::uint64_t peak_memory_bytes() const { return peak_memory_bytes_; }

 private:
  void take(const Told& told);
  void take_print(const std::string& line);
  std::string how_it_died(int wait_status) const;
  std::string death(int wait_status) const;
  bool has_ended() const;
  void wait_a_little() const;
  void remove_leftovers();

  std::size_t index_;
  RunProcess process_;
  RunHealth health_;
  TellReader reader_;
  RunEvents events_;
  Clock::time_point begin_ = Clock::now();
  std::string told_;     ///< not yet a whole line
  std::string printed_;  ///< likewise
  LastWords last_words_;
  bool loaded_ = false;
  bool bad_input_ = false;
  std::optional<Status> ended_;                    ///< as the process told
  std::optional<Clock::time_point> ending_since_;  ///< it has told its end or was asked for it
  bool cut_short_ = false;                         ///< killed, because that took too long
  bool asked_to_stop_ = false;
  bool damaged_ = false;        ///< something that it told could not be read
  std::string killed_because_;  ///< empty: it was not
  RunResult result_;
  std::uint64_t peak_memory_bytes_ = 0;
};

}  // namespace pslab::run
