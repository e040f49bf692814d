// What the process of a run does (or each of its processes): loads the data, trains, and tells what
// happens.
#pragma once

#include <filesystem>
#include <string>

#include "config/value.hpp"

namespace pslab::run {

/// Runs the experiment of `config` to its end and tells on the descriptor `tells`. SIGTERM asks it
/// to stop; it takes no notice of SIGINT. `launch`: see trace_parts.hpp.
[[noreturn]] void be_run(const config::Value& config, const std::string& root,
                         const std::filesystem::path& launch, int tells);

/// As be_run, for one of several processes that a launcher has started with this file: tells on
/// what is standard
/// output now; what else it prints goes to standard error. Exit code 0: its part succeeded.
[[noreturn]] void be_launched_run(const std::string& config_file, const std::string& root);

}  // namespace pslab::run
