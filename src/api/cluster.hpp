// The machines of a run, and what goes wrong with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace pslab {

/// Troubles injected into a run, with the same meaning in every backend. Times in seconds of the
/// run.
struct Faults {
  struct SlowNode {
    NodeId node;
    double slowdown;  ///< everything its processors do takes this many times as long
    double from, until;
  };
  struct SlowLink {
    NodeId from_node, to_node;  ///< messages from one to the other
    double extra_latency;       ///< seconds added to each
    double from, until;
  };
  struct Failure {
    NodeId node;
    double at;  ///< the node dies, and the run with it
  };
  std::vector<SlowNode> slow_nodes;
  std::vector<SlowLink> slow_links;
  std::vector<Failure> failures;
  double delay_probability = 0.0;  ///< of each message between nodes
  double delay_max = 0.0;          ///< seconds, uniform from 0
};

struct ClusterSpec {
  NodeId nodes = 1;
  std::uint32_t workers_per_node = 1;
  std::string platform;  ///< name or file
  std::string
      hostfile;      ///< machines of a run on real processes; empty: this one, or the batch job's
  std::string root;  ///< the project's root folder
  std::uint64_t seed = 1;
  Faults faults;
};

}  // namespace pslab
