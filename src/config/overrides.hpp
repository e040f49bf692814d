// Overrides from the command line: `pslab run FILE key.path=VALUE ...`.
#pragma once

#include <string>
#include <vector>

#include "config/value.hpp"

namespace pslab::config {

/// Applies each `key.path=VALUE` onto `config`, a map. VALUE is YAML flow style and replaces what
/// stands at the path, whole maps included; maps on the way are made. The axes of a sweep are
/// reached as in the file, `sweep.cluster.nodes=[1, 2]`. A value for a path that the file sweeps is
/// for all runs: the path is taken out of the sweep, and zipped rows that are equal then become
/// one. The new values' origin is "command line: <the whole argument>". Returns what the user
/// should know of it, a line each. Throws InputError, quoting the argument, if it cannot be applied
/// or would undo an earlier one.
std::vector<std::string> apply_overrides(Value& config, const std::vector<std::string>& arguments);

/// The first value in `value` that came from the command line, or nullptr.
const Value* find_override(const Value& value);

}  // namespace pslab::config
