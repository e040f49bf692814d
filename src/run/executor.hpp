// Executes the runs of an experiment, some at a time, each in a process of its own, and writes all
// results.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/json.hpp"
#include "run/run_result.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

struct ExecutionOptions {
  std::filesystem::path folder;  ///< of the experiment
  std::string root;              ///< the project's root folder
  std::string command_line;      ///< for env.json
  int jobs = 1;                  ///< processes at once
  double timeout = 0.0;  ///< wall seconds after which a run is killed and has failed; 0: none
  double tick = 1.0;     ///< seconds between two calls of Observer::tick
  bool force = false;    ///< run finished runs again
};

/// Hears what goes on; all calls come from the thread that called execute(). Prints, or does not.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Before anything starts: finished earlier, and by another build of pslab.
  virtual void reused(const std::vector<std::size_t>& runs,
                      const std::vector<std::size_t>& of_another_build) = 0;
  virtual void started(std::size_t run) = 0;
  virtual void said(std::size_t run, const std::string& text) = 0;
  virtual void epoch(std::size_t run, const Json& event) = 0;
  virtual void ended(std::size_t run, const RunResult& result) = 0;
  virtual void stopping() = 0;  ///< the user has asked to stop; running runs are asked to end
  virtual void tick() = 0;
};

struct Execution {
  std::map<std::size_t, RunResult> results;  ///< by index into the plan's runs; some may be missing
  bool interrupted = false;
};

/// Returns when all runs have ended or the user has stopped them (SIGINT, SIGTERM; at the second
/// one the processes are killed and what they did is lost). InputError if results cannot be
/// written, if a run folder holds another config, if a data file of any run cannot be opened, or if
/// the data of the first run are bad; then nothing was started.
Execution execute(const ExperimentPlan& plan, const ExecutionOptions& options, Observer& observer);

}  // namespace pslab::run
