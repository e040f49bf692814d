// Runs on real processes whose history is checked.
#pragma once

#include <fmt/format.h>

#include "tests/conformance/history_mutants.hpp"
#include "tests/conformance/history_run.hpp"

namespace pslab::test {

/// As random_history, with a given number of nodes, two workers on each, and more operations.
inline std::string real_history(const std::string& strategy, const std::string& options,
                                std::uint64_t seed, NodeId nodes) {
  return random_history(strategy, options, seed,
                        fmt::format("backend=real;cluster={{nodes: {}, workers_per_node: 2}};"
                                    "workload.operations=400;faults.slow_nodes=[]",
                                    nodes));
}

/// "": none. The others by name, so that a launched process can have them too.
inline Mutant real_mutant(const std::string& name) {
  if (name == "double pushes") return doubling(MessageKind::kPush);
  if (name == "old replies") return replaying(MessageKind::kPullReply, 1.0);
  return {};
}

}  // namespace pslab::test
