// configs/defaults.yaml: every option with its default, what it is for and what is allowed.
#pragma once

#include <string>

namespace pslab::cli {

/// A config that is valid as it stands; options of other plug-ins than the default ones are
/// comments.
std::string defaults_file(const std::string& root);

}  // namespace pslab::cli
