// The message for a key that no option declares: what was probably meant.
#pragma once

#include <string>
#include <vector>

#include "config/options.hpp"

namespace pslab::config {

/// "unknown option. Did you mean 'rank'? Allowed here: name, rank". `names` are the options of the
/// map in which `key` stands; `inner` also has those of the groups in it, `all` those of the whole
/// config.
std::string unknown_option(const std::string& key, const Value& value,
                           const std::vector<std::string>& names,
                           const std::vector<Declaration>& inner,
                           const std::vector<Declaration>& all);

}  // namespace pslab::config
