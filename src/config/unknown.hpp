// The message for a key that no option declares: what was probably meant.
#pragma once

#include <string>
#include <vector>

#include "config/options.hpp"

namespace pslab::config {

/// "unknown option. Did you mean 'rank'? Allowed here: name, rank". `names` are the options of the
/// map in which `key` stands; `declared` also has those of the groups in it.
std::string unknown_option(const std::string& key, const Value& value,
                           const std::vector<std::string>& names,
                           const std::vector<Declaration>& declared);

}  // namespace pslab::config
