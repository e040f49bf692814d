// What the process of a run does (or each of its processes): loads the data, trains, and tells what
// happens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/value.hpp"

namespace pslab::run {

/// Where the processes of a run leave and find files.
struct RunFiles {
  std::filesystem::path launch;       ///< see trace_parts.hpp
  std::filesystem::path checkpoints;  ///< folder of the run's; empty: it writes none
  int from_epoch = 0;                 ///< of the checkpoint to go on from; 0: from the beginning
};

/// Runs the experiment of `config` to its end and tells on the descriptor `tells`. SIGTERM asks it
/// to stop; it takes no notice of SIGINT.
[[noreturn]] void be_run(const config::Value& config, const std::string& root,
                         const RunFiles& files, int tells);

/// As be_run, for one of several processes that a launcher has started with these words: tells on
/// what is standard output now; what else it prints goes to standard error. Exit code 0: its part
/// succeeded.
[[noreturn]] void be_launched_run(const std::vector<std::string>& words, const std::string& root);

/// What a launcher starts: these words after the program.
std::vector<std::string> launched_words(const RunFiles& files);

}  // namespace pslab::run
