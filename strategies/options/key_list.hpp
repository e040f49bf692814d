// A list of keys in a text file: one a line, as a number or as GROUP:INDEX, the index within a
// group of the task's keys (columns:17). What follows a # is a comment; blank lines are skipped.
#pragma once

#include <string>
#include <vector>

#include "api/key_space.hpp"

namespace pslab {

/// In the order of the file. Throws InputError ("FILE:LINE: ...") for what is no key of `keys` or
/// is listed twice, and when the file cannot be read.
std::vector<Key> read_key_list(const std::string& path, const KeySpace& keys);

}  // namespace pslab
