// Says on standard error how the runs of an experiment go: on a terminal in one line that is
// rewritten, otherwise in plain lines at an interval. Nothing else prints while runs go on.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "run/executor.hpp"

namespace pslab::cli {

struct ProgressOptions {
  bool quiet = false;      ///< only what went wrong, and warnings
  bool terminal = false;   ///< standard error is one
  double interval = 10.0;  ///< seconds between lines where it is none
};

class Progress final : public run::Observer {
 public:
  Progress(const run::ExperimentPlan& plan, const ProgressOptions& options);

  /// How often tick() is useful. Seconds.
  double tick_interval() const { return options_.terminal ? 0.5 : options_.interval; }

  void reused(const std::vector<std::size_t>& runs,
              const std::vector<std::size_t>& of_another_build) override;
  void started(std::size_t run) override;
  void said(std::size_t run, const std::string& text) override;
  void epoch(std::size_t run, const run::Json& event) override;
  void ended(std::size_t run, const run::RunResult& result) override;
  void stopping() override;
  void tick() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Going {
    Clock::time_point begin = Clock::now();
    Clock::time_point last_line = Clock::now();
    int epochs = 0;
    int epochs_at_last_line = 0;
    double time_s = 0.0;
    std::string metric;
  };

  std::string name_of(std::size_t run) const;
  std::string status(std::size_t run, Going& going, Clock::time_point now);
  double seconds_left(std::size_t run, const Going& going, Clock::time_point now) const;
  double seconds_left_of_all(Clock::time_point now) const;
  std::string time_left(std::size_t run, const Going& going, Clock::time_point now) const;
  std::size_t waiting() const { return plan_.runs.size() - reused_ - ended_ - going_.size(); }
  void print(const std::string& line);
  void show(const std::string& line);
  void clear();

  const run::ExperimentPlan& plan_;
  ProgressOptions options_;
  std::map<std::size_t, Going> going_;
  std::set<std::string> said_;  ///< what several runs say is shown once
  std::size_t ended_ = 0;       ///< of this execution
  std::size_t reused_ = 0;
  double ended_seconds_ = 0.0;
  bool line_shown_ = false;
};

/// "test_rmse 0.8731": the main metric of an epoch event; "" if there is none.
std::string main_metric_text(const run::Json& epoch_event);

}  // namespace pslab::cli
