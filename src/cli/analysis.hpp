// The Python program `analysis`, which draws figures and compares results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pslab::cli {

/// Becomes `python3 -m analysis ARGUMENTS`. Returns only by throwing InputError: there is no such
/// Python.
[[noreturn]] void become_analysis(const std::string& root,
                                  const std::vector<std::string>& arguments);

struct Figures {
  bool drawn = false;
  std::vector<std::string> output;  ///< paths and remarks, or what went wrong
};
/// Runs `python3 -m analysis ARGUMENTS`; its output goes through the file `log`.
Figures run_analysis(const std::string& root, const std::vector<std::string>& arguments,
                     const std::string& log);
/// Draws the figures of an experiment's folder.
Figures draw_figures(const std::string& root, const std::filesystem::path& folder);

}  // namespace pslab::cli
