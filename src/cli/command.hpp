// The commands of pslab: each takes its arguments, and returns the exit code. A command throws
// InputError for bad input or usage (exit code 2) and RunError for what else went wrong (exit code
// 1).
#pragma once

#include <string>
#include <vector>

namespace pslab::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// What every command may need to know.
struct Environment {
  std::string root;          ///< the project's root folder
  std::string command_line;  ///< as the user gave it, from "pslab" on
  std::string program;       ///< as the user called it, for commands to paste
};

using Arguments = std::vector<std::string>;

int run_command(const Environment& environment, const Arguments& arguments);
int resume_command(const Environment& environment, const Arguments& arguments);
int export_command(const Environment& environment, const Arguments& arguments);
int check_command(const Environment& environment, const Arguments& arguments);
int list_command(const Environment& environment, const Arguments& arguments);
int describe_command(const Environment& environment, const Arguments& arguments);
int data_command(const Environment& environment, const Arguments& arguments);
int plot_command(const Environment& environment, const Arguments& arguments);
int compare_command(const Environment& environment, const Arguments& arguments);

}  // namespace pslab::cli
