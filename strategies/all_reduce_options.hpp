// The options of strategies that keep replicas on every node, read in one place so that they are
// the same for all of them.
#pragma once

#include "api/strategy.hpp"
#include "config/options.hpp"

namespace pslab {

inline AllReduce read_all_reduce(config::Options& options) {
  AllReduce read;
  read.rounds_per_second =
      options.real("sync_rate", 25.0, 0.0, 1e9, "1/s",
                   "replica synchronisation rounds per second, a target (published versions "
                   "use 5 and 25); 0: only at the end of each epoch");
  return read;
}

}  // namespace pslab
