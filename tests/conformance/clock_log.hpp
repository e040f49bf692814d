// Who had pushed what at which clock, to check the bound on staleness of strategies with clocks: a
// worker at clock c sees every push that others made before their clock c - staleness, and all that
// was made before the last gathering. Of workers in one process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace pslab::test {

class ClockLog {
 public:
  using Counts = std::vector<int>;  ///< pushes by key

  ClockLog(WorkerId workers, std::uint64_t steps_per_clock)
      : workers_(workers), steps_per_clock_(steps_per_clock) {}

  /// A worker with these pushes so far goes on, arrives at a gathering, leaves it.
  void advance(WorkerId worker, const Counts& pushed) {
    Log& log = workers_[worker];
    if (++log.steps % steps_per_clock_ == 0) log.generations.back().push_back(pushed);
  }
  void arrive(WorkerId worker, const Counts& pushed) { workers_[worker].arrived.push_back(pushed); }
  void leave(WorkerId worker, const Counts& pushed) {
    workers_[worker].steps = 0;
    workers_[worker].generations.push_back({pushed});
  }

  /// How many pushes of `other` to a key a read by `reader` must have seen; -1: the reader should
  /// not be where it is.
  int least(WorkerId reader, WorkerId other, Key key, std::uint32_t staleness) const {
    const std::size_t generation = workers_[reader].generations.size() - 1;
    const std::size_t clock = workers_[reader].generations.back().size() - 1;
    const std::size_t oldest = clock - std::min<std::size_t>(clock, staleness);
    const Log& log = workers_[other];
    if (generation < log.generations.size() && oldest < log.generations[generation].size()) {
      return log.generations[generation][oldest][key];
    }
    // It is at the gathering that ends this generation, or has not left the one before it.
    const std::size_t gathering = generation < log.generations.size() ? generation + 1 : generation;
    return gathering < log.arrived.size() ? log.arrived[gathering][key] : -1;
  }

 private:
  struct Log {
    std::uint64_t steps = 0;                       ///< since the last gathering
    std::vector<std::vector<Counts>> generations;  ///< per clock, what had been pushed before it
    std::vector<Counts> arrived;                   ///< at each gathering
  };
  std::vector<Log> workers_;
  std::uint64_t steps_per_clock_;
};

}  // namespace pslab::test
