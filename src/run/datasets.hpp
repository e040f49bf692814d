// What can be known of the data of a run without loading them, and getting them onto this computer
// first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

/// Fetches all data sets of the catalog that the runs name and that are not here yet. Throws
/// InputError.
void fetch_datasets(const ExperimentPlan& plan, const std::string& root,
                    const std::function<void(const std::string&)>& say);

/// True if loading them takes no network and about a second at most.
bool quick_to_load(const PlannedRun& run);

/// Opens every file that the runs' data sets name. InputError with all that cannot be opened, a
/// line each, with its place in the config.
void check_data_files(const std::vector<const PlannedRun*>& runs);

/// Of the contents of all files that the data set of this run names; "" if it names none. Sets of
/// the catalog have sums of their own. `resolved`: the run's whole config.
std::string data_checksum(const config::Value& resolved);

/// InputError when the files have changed since the checkpoint was written.
void check_data_unchanged(const config::Value& resolved, const checkpoint::Head& head);

}  // namespace pslab::run
