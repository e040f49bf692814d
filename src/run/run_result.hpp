// What is known of a run that has ended: enough to render table.csv, summary.json and the
// comparison. Made while it runs, or read back from its folder.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "run/json.hpp"
#include "run/record.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

enum class Status { kSucceeded, kFailed, kInterrupted };
const char* name(Status status);

struct RunResult {
  Status status = Status::kFailed;
  std::string error;
  std::string commit;             ///< version of pslab that made it
  std::vector<std::string> data;  ///< what the readers kept, skipped and merged
  std::vector<Json> epochs;       ///< epoch events; per worker and node figures left out
};

/// The event of events.jsonl.
Json epoch_event(const EpochRecord& measured, std::uint32_t workers_per_node);
Json start_event(const PlannedRun& run);
Json end_event(const RunResult& result);

/// Takes out of an epoch event what only events.jsonl shows, and what grows with the cluster.
void keep_totals(Json& epoch_event);

/// Why a run that succeeded came to its end: "all epochs done", "target reached", "target not
/// reached in 5 epochs", "max_time reached"; "" for all others.
std::string end_reason(const PlannedRun& run, const RunResult& result);

Json summary(const PlannedRun& run, const RunResult& result);

/// Sums over all epochs that the run trained itself: not over those before another run's checkpoint
/// that it goes on from. Used by the summary and the comparison.
struct Totals {
  std::size_t epochs = 0;
  double time_s = 0.0;
  double settle_s = 0.0;
  double oracle_s = 0.0;  ///< lower bound on time_s; 0: not computed
  double accesses = 0.0;
  double local_accesses = 0.0;
  double bytes_sent = 0.0;
  double messages = 0.0;
  std::array<double, metrics::kTimes> breakdown_s{};  ///< mean over workers

  double mean_epoch_time_s() const { return time_s / static_cast<double>(epochs); }
  double mean_settle_s() const { return settle_s / static_cast<double>(epochs); }
  double mean_oracle_s() const { return oracle_s / static_cast<double>(epochs); }
  double local_share() const { return local_accesses / accesses; }
};
Totals totals(const RunResult& result);

}  // namespace pslab::run
