// Where an experiment that has been run lies, and where it was started.
#pragma once

#include <filesystem>

namespace pslab::cli {

/// The folder of the experiment that `given` is, or is inside of: a run's, or one of its
/// checkpoints'. InputError when there is none.
std::filesystem::path experiment_folder(const std::filesystem::path& given);

/// Paths in a config may be relative to where its experiment was started: makes that the working
/// directory. Warns when it is gone.
void enter_working_directory(const std::filesystem::path& experiment_folder);

}  // namespace pslab::cli
