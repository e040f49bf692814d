// Checkpoints of runs that ended or were stopped: which one to go on from, and whether it may be.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "run/experiment.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

/// The newest checkpoint of the run in this folder that is whole, for going on with it; null: there
/// is none. `warn` hears of damaged ones.
std::shared_ptr<const checkpoint::Checkpoint> newest_checkpoint(
    const std::filesystem::path& run_folder, const std::function<void(const std::string&)>& warn);

/// `path`: the folder of a run, or of one of its checkpoints. InputError when there is no whole
/// checkpoint. `warn` hears of damaged ones that are newer.
std::shared_ptr<const checkpoint::Checkpoint> find_checkpoint(
    const std::filesystem::path& path, const std::function<void(const std::string&)>& warn);

/// InputError, naming the differences, when the config of the run in folder `from` has other values
/// after changes than what goes on from its checkpoints may have. It still lacks what the changes
/// make necessary: options of another strategy, for instance.
void check_changes(const std::string& from, const config::Value& config,
                   const config::Value& changed);

/// The one that checkpoint.from names. InputError when it is none that this experiment may go on
/// from: names what differs. `warn` hears of damaged ones that are newer.
std::shared_ptr<const checkpoint::Checkpoint> checkpoint_of_another_run(
    const Experiment& experiment, const std::function<void(const std::string&)>& warn);

/// InputError, naming all of the runs whose checkpoint.from cannot be used.
void check_origins(const std::vector<const PlannedRun*>& runs, const std::string& root);

}  // namespace pslab::run
