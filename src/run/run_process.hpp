// One run in a process of its own: a backend may run one simulation per process, and a run that
// crashes takes nothing else down. This is the process; executor.hpp is the one that starts it and
// writes results.
//
// The process tells what happens in lines on a pipe, each a letter (Tell) and JSON.
#pragma once

#include <sys/types.h>

#include <string>

#include "run/sweep_plan.hpp"

namespace pslab::run {

enum class Tell : char {
  kSay = 'S',          ///< a text for the user and the log
  kLoaded = 'L',       ///< the data are there: list of what the readers have to say
  kEpoch = 'E',        ///< an epoch event
  kSucceeded = 'D',    ///< null; the last line
  kFailed = 'F',       ///< text; the last line
  kBadInput = 'B',     ///< text: the data were refused; the last line
  kInterrupted = 'I',  ///< null: was asked to stop; the last line
};

struct RunProcess {
  pid_t pid = -1;
  int tells = -1;   ///< pipe to read from; not blocking
  int prints = -1;  ///< what the process prints; not blocking
};

/// Starts it. SIGTERM asks it to stop; it takes no notice of SIGINT, and dies with this process.
/// Throws RunError if the system refuses.
RunProcess start_run_process(const PlannedRun& run, const std::string& root);

}  // namespace pslab::run
