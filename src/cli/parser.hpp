// CLI11 with our errors: an unknown option is named, with the nearest one.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace pslab::cli {

/// Parses the arguments behind the command's name. False: --help was given and printed. Throws
/// InputError.
bool parse(CLI::App& app, const Arguments& arguments);

/// Checks for options that take a number: a time above 0, or an integer of a range. What they
/// refuse they quote, with what is allowed.
CLI::Validator positive_seconds();
CLI::Validator integer_between(int min, int max);

}  // namespace pslab::cli
