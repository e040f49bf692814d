// Dotted paths into a tree of values, "cluster.nodes", as overrides and sweeps use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/value.hpp"

namespace pslab::config {

using Path = std::vector<std::string>;

/// Splits at the dots. InputError, beginning with `place`, if a part is empty, if an element of a
/// list is named, or if the path is deeper than a config can be.
Path split_path(std::string_view dotted, std::string_view place);

/// The value at `path`, or nullptr.
const Value* find_path(const Value& root, const Path& path);

/// Puts `value` at `path`, in place of what was there; makes the maps on the way. InputError,
/// beginning with `place`, if something on the way is no map.
void set_path(Value& root, const Path& path, Value value, std::string_view place);

}  // namespace pslab::config
