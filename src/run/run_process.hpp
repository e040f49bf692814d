// A run in processes of its own: a backend may run one simulation per process, and a run that
// crashes takes nothing else down. Either one process, or a launcher's that starts one per node.
// run_body.hpp is what they do; executor.hpp is the one that starts them and writes results.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

struct RunProcess {
  pid_t pid = -1;
  int tells = -1;         ///< pipe to read from; not blocking
  int prints = -1;        ///< what the process prints; not blocking
  bool launcher = false;  ///< it starts the run's processes, and ends when they have
  std::string launch;     ///< its name, see launch_marks.hpp
  std::string advice;     ///< see Launch
  Watch watch;
  std::vector<std::string> notes;                ///< for the user
  std::vector<std::filesystem::path> leftovers;  ///< to remove when it has ended
};

/// Starts it. SIGTERM asks it to stop; it takes no notice of SIGINT, and dies with this process.
/// Throws RunError if the system refuses. `folder`: the experiment's, which all machines of a
/// cluster share. `from_epoch`: of the run's checkpoint that it goes on from; 0: from the
/// beginning.
RunProcess start_run_process(const PlannedRun& run, const std::string& root,
                             const std::filesystem::path& folder, int from_epoch);

/// Throws InputError, naming all that keeps any of these runs from being started.
void check_launches(const std::vector<const PlannedRun*>& runs, const std::string& root);

/// What the user should know about how these runs will be started.
std::vector<std::string> launch_notes(const std::vector<const PlannedRun*>& runs,
                                      const std::string& root);

/// What would start it, as a line for a shell; "" if it is one process that needs no command.
std::string launch_line(const PlannedRun& run, const std::string& root);

}  // namespace pslab::run
