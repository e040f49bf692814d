// Histories as numbers, as workers hand them over to another process at the end of an epoch.
#pragma once

#include <span>
#include <vector>

#include "checks/history.hpp"

namespace pslab::checks {

/// `copies`: of the worker's node; null: another worker hands them over.
std::vector<double> to_numbers(const WorkerHistory& history, const NodeCopies* copies);

/// The reverse; `copies` stays as it is if there were none.
void from_numbers(std::span<const double> numbers, WorkerHistory& history, NodeCopies& copies);

}  // namespace pslab::checks
