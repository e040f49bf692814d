// What a run will occupy in memory, and whether this machine has as much.
#pragma once

#include <cstdint>
#include <string>

#include "run/experiment.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

class Training;

/// Of one process that holds all nodes of a run. Bytes.
struct MemoryEstimate {
  std::uint64_t keys = 0;      ///< a count
  std::uint64_t values = 0;    ///< main copies
  std::uint64_t replicas = 0;  ///< of replicated keys, on all nodes, and their changes in a round
  std::uint64_t copies = 0;    ///< that nodes make of what they access: at most
  std::uint64_t indexes = 0;   ///< where keys are: node indexes, home directories, location caches
  std::uint64_t workers = 0;   ///< stacks of the workers
  std::uint64_t data = 0;
  std::uint64_t checks = 0;  ///< what is recorded to be checked

  std::uint64_t total() const {
    return values + replicas + copies + indexes + workers + data + checks;
  }
};

/// `experiment` has loaded its data; `training` is to execute it.
MemoryEstimate estimate_memory(const Experiment& experiment, const Training& training);
/// Loads the data, without fetching any.
MemoryEstimate estimate_memory(const PlannedRun& run, const std::string& root);

/// Bytes that this machine has, or that this process may have if that is less (ulimit -v).
std::uint64_t usable_memory();

/// A line for the user if a run needs more than is usable; "" otherwise.
std::string memory_warning(std::uint64_t needed, std::uint64_t usable);

}  // namespace pslab::run
