// The table at the end of an experiment: one line per configuration, with what it cost and where
// the time went.
#pragma once

#include <string>

#include "run/executor.hpp"

namespace pslab::cli {

/// Repeats of a configuration make one line: means, and ± for the 95 % confidence interval of the
/// mean.
std::string comparison(const run::ExperimentPlan& plan, const run::Execution& execution);

}  // namespace pslab::cli
