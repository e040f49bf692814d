#include "run/trace_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "run/result_folder.hpp"

namespace pslab::run {

namespace fs = std::filesystem;

namespace {

fs::path part_file(const fs::path& launch, NodeId node) {
  return launch.string() + fmt::format(".trace-{}", node);
}

void add(trace::Trace& whole, trace::Trace part) {
  if (whole.workers.empty()) {
    whole = std::move(part);
    return;
  }
  for (std::size_t worker = 0; worker < part.workers.size(); ++worker) {
    if (!part.workers[worker].empty()) whole.workers[worker] = std::move(part.workers[worker]);
  }
}

}  // namespace

fs::path launch_file(const fs::path& folder, const PlannedRun& run) {
  return fs::absolute(folder) / fmt::format(".{}.launch.yaml", run.id);
}

void write_trace_part(const fs::path& launch, NodeId node, const trace::Trace& part) {
  write_file(part_file(launch, node), trace::to_bytes(part));
}

void join_trace_parts(const fs::path& folder, const PlannedRun& run) {
  trace::Trace whole;
  for (NodeId node = 0; node < run.facts.nodes; ++node) {  // a simulation has one part
    const fs::path file = part_file(launch_file(folder, run), node);
    const std::optional<std::string> bytes = read_file(file);
    if (bytes) add(whole, trace::from_bytes(*bytes, file.string()));
  }
  const auto missing = std::ranges::find(whole.workers, "");
  if (whole.workers.empty() || missing != whole.workers.end()) {
    fail_run(
        "metrics.record_trace: node {} has left no {}. The machines of a run must share the "
        "folder of its results; choose another one with --out DIR",
        (missing - whole.workers.begin()) / whole.workers_per_node,
        launch_file(folder, run).string() + ".trace-*");
  }
  write_file(folder / run.id / trace::kFileName, trace::to_bytes(whole));
  remove_trace_parts(folder, run);
}

void remove_trace_parts(const fs::path& folder, const PlannedRun& run) {
  for (NodeId node = 0; node < run.facts.nodes; ++node) {
    std::error_code ignored;  // there may be none
    fs::remove(part_file(launch_file(folder, run), node), ignored);
  }
}

}  // namespace pslab::run
