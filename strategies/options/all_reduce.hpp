// The options of strategies that keep replicas on every node, read in one place so that they are
// the same for all of them.
#pragma once

#include <string>

#include "api/strategy.hpp"
#include "config/options.hpp"

namespace pslab {

inline AllReduce read_all_reduce(config::Options& options) {
  AllReduce read;
  read.rounds_per_second =
      options.real("sync_rate", 25.0, 0.0, 1e9, "1/s",
                   "replica synchronisation rounds per second, a target (published versions "
                   "use 5 and 25); 0: only at the end of each epoch");
  const std::string method =
      options.choice("sync_method", "butterfly", {"butterfly", "tree", "owner_hub"},
                     "how changes of N nodes are added up: pairwise exchanges in log2 N steps; "
                     "along a binomial tree "
                     "to node 0 and back; or by each key's home node, which sends the sum to all");
  if (method == "tree") read.method = SyncMethod::kTree;
  if (method == "owner_hub") read.method = SyncMethod::kOwnerHub;
  read.threshold =
      options.real("sync_threshold", 0.0, 0.0, 1e30, "",
                   "a round exchanges only changes of at least this L2 norm; smaller ones wait and "
                   "grow, at most until the end of the epoch; 0: all changes");
  read.average = options.flag("average", false,
                              "divide the sum of all nodes' changes by the number of nodes; "
                              "replicas then no longer contain the sum of all updates");
  read.clip = options.real(
      "clip", 0.0, 0.0, 1e30, "",
      "scale summed changes down to this many times the mean norm of those so far (after the first "
      "1000); replicas then no longer contain the sum of all updates; 0: never");
  return read;
}

}  // namespace pslab
