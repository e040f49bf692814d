// The conformance suite's task: every worker performs random operations, from which the right value
// of every key is known. Worker w adds only to component w of a value, in whole numbers, so that
// each worker knows what it must read of its own, and sums are exact.
#pragma once

#include <functional>
#include <string>

#include "api/backend.hpp"
#include "config/value.hpp"

namespace pslab::test {

/// Wraps what a node receives or sends, to inject a defect. Null members: nothing is wrapped.
struct Mutant {
  std::function<std::unique_ptr<Receiver>(Receiver& original, NodeId node, Program& program)>
      wrap_receiver;
  std::function<std::unique_ptr<NodeRuntime>(NodeRuntime& original)> wrap_runtime;
};

struct RandomRun {
  std::string strategy;        ///< registered name
  std::string options = "{}";  ///< YAML map with the strategy's options
  std::string backend = "sim";
  std::string network = "flow";
  double quantum = 10e-6;
  bool hogwild = false;  ///< real: reads without locks
  ClusterSpec cluster;
  std::uint32_t keys_per_group = 12;
  int operations = 60;  ///< per worker, about
  std::string board;    ///< file that the run's processes share; empty: there is one process
  Mutant mutant;
};

/// What a correct run returns: "ok", the simulated end time and a hash of everything read;
/// otherwise what was wrong. Must run in a process of its own.
std::string perform(const RandomRun& run);

/// A cluster, delays and stragglers drawn from a seed.
RandomRun random_run(const std::string& strategy, const std::string& options, std::uint64_t seed);

}  // namespace pslab::test
