// Programs that a launcher starts in several processes.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace pslab::test {

/// What `program` printed, started as `nodes` processes of two workers each; with its exit code
/// unless that is 0. `name`: one that no other run has.
std::string launched(const std::vector<std::string>& program, NodeId nodes,
                     const std::string& name);

}  // namespace pslab::test
