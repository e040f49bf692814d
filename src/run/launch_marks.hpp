// All that a launcher has started on this machine, wherever it is in the tree of processes: each
// process has the launch's name in its environment. A launcher that is killed leaves behind what
// it started in groups or sessions of their own, such as an ssh to a machine that does not answer.
#pragma once

#include <string>

namespace pslab::run {

/// The variable that holds the name.
constexpr const char* kLaunchVariable = "PSLAB_LAUNCH";

/// A name that no other launch on this machine has: "pslab-PID-NUMBER".
std::string new_launch_name();

/// Kills all processes of that launch, and those that they start meanwhile.
void kill_launch(const std::string& name);

/// Kills and removes what launches left behind whose pslab was killed itself: their processes, and
/// their files in the folders for temporary ones.
void clean_up_after_dead_launches();

}  // namespace pslab::run
