// Runs another program and waits for it.
#pragma once

#include <string>
#include <vector>

namespace pslab::data {

struct ProgramResult {
  bool found = true;   ///< false: there is no such program
  int exit_code = 0;   ///< -1 if it was ended by a signal
  int signal = 0;      ///< the signal, or 0
  std::string output;  ///< what it wrote to standard output and standard error

  bool succeeded() const { return found && signal == 0 && exit_code == 0; }
};

/// Looks `command[0]` up in PATH and runs it in `directory` with English messages and no standard
/// input. Its output goes through the file `log`, which is overwritten. InputError if the system
/// refuses to start it for another reason than that it does not exist.
ProgramResult run_program(const std::vector<std::string>& command, const std::string& directory,
                          const std::string& log);

}  // namespace pslab::data
