// CLI11 with our errors: an unknown option is named, with the nearest one.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace pslab::cli {

/// Parses the arguments behind the command's name. False: --help was given and printed. Throws
/// InputError.
bool parse(CLI::App& app, const Arguments& arguments);

}  // namespace pslab::cli
