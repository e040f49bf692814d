// table.csv: one row per run and epoch, rendered from the same records as everything else.
// README.md says what the columns mean.
#pragma once

#include <map>
#include <string>

#include "run/run_result.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

/// `results`: by index into plan.runs; runs that have not ended are missing and have no rows.
std::string table_csv(const ExperimentPlan& plan, const std::map<std::size_t, RunResult>& results);

}  // namespace pslab::run
