// What can be known of the data of a run without loading them, and getting them onto this computer
// first.
#pragma once

#include <functional>
#include <string>

#include "run/sweep_plan.hpp"

namespace pslab::run {

/// Fetches all data sets of the catalog that the runs name and that are not here yet. Throws
/// InputError.
void fetch_datasets(const ExperimentPlan& plan, const std::string& root,
                    const std::function<void(const std::string&)>& say);

/// True if loading them takes no network and about a second at most.
bool quick_to_load(const PlannedRun& run);

/// What a run will occupy in the memory of one process that holds all its nodes, in bytes; needs
/// its data.
struct MemoryEstimate {
  std::uint64_t keys = 0;
  std::uint64_t values = 0;    ///< main copies
  std::uint64_t replicas = 0;  ///< values and agreed values of replicated keys, on all nodes
  std::uint64_t indexes = 0;   ///< where keys are: node indexes, home directories, location caches
  std::uint64_t workers = 0;   ///< stacks of the workers
  std::uint64_t data = 0;

  std::uint64_t total() const { return values + replicas + indexes + workers + data; }
};
MemoryEstimate estimate_memory(const PlannedRun& run, const std::string& root);

}  // namespace pslab::run
