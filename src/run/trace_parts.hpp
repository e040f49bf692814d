// Each process of a run writes what its workers did into a file of its own, beside the folder of
// the run; when all have ended, these parts become the run's trace.
#pragma once

#include <filesystem>

#include "run/sweep_plan.hpp"
#include "trace/trace_file.hpp"

namespace pslab::run {

/// What names of parts, and of the config of a launched run, begin with. `folder`: the
/// experiment's.
std::filesystem::path launch_file(const std::filesystem::path& folder, const PlannedRun& run);

/// `launch`: see above. By the process of `node`. Throws RunError when it cannot be written.
void write_trace_part(const std::filesystem::path& launch, NodeId node, const trace::Trace& part);

/// Writes the trace of a run that has succeeded into its folder, and removes its parts. Throws
/// RunError.
void join_trace_parts(const std::filesystem::path& folder, const PlannedRun& run);

/// Of a run that has not succeeded.
void remove_trace_parts(const std::filesystem::path& folder, const PlannedRun& run);

}  // namespace pslab::run
