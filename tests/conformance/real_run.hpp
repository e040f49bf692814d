// A random run on real processes.
#pragma once

#include "tests/conformance/random_run.hpp"

namespace pslab::test {

/// As random_run, with a given number of nodes, two workers on each, and more operations: they
/// take microseconds here.
inline RandomRun real_run(const std::string& strategy, const std::string& options,
                          std::uint64_t seed, NodeId nodes) {
  RandomRun run = random_run(strategy, options, seed);
  run.backend = "real";
  run.cluster.nodes = nodes;
  run.cluster.workers_per_node = 2;
  run.operations = 900;
  for (auto& slow : run.cluster.faults.slow_nodes) {
    slow.node %= nodes;
    slow.slowdown = 3.0;
  }
  return run;
}

}  // namespace pslab::test
