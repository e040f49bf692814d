#include "run/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.hpp"
#include "run/training.hpp"

namespace pslab::run {
namespace {

constexpr std::uint64_t kStackBytes = 256 << 10;

}  // namespace

MemoryEstimate estimate_memory(const Experiment& experiment, const Training& training) {
  const ClusterSpec& cluster = experiment.cluster;
  const Plan& plan = training.plan();
  const KeySpace& keys = training.stored_keys();
  const std::uint64_t nodes = cluster.nodes;
  MemoryEstimate estimate;
  estimate.keys = keys.size();
  estimate.values = keys.total_floats() * sizeof(float);
  for (const Key key : plan.replicated) {
    estimate.replicas += nodes * 2 * keys.length(key) * sizeof(float);
  }
  // Node indexes: dense ones (4 bytes a key) stay within a quarter of the values, tables take up to
  // 16 bytes for each key that a node holds. Home directories: 2 bytes a key.
  const std::uint64_t held = keys.size() + nodes * plan.replicated.size();
  const std::uint64_t dense = nodes * keys.size() * 4;
  estimate.indexes = (dense <= keys.total_floats() ? dense : held * 16) + keys.size() * 2;
  // An explicit placement: 2 bytes a key in each process, 4 more on the key's home.
  if (!plan.owners.empty()) estimate.indexes += keys.size() * 6;
  if (plan.location_caches) estimate.indexes += nodes * keys.size() * 2;
  estimate.workers = nodes * cluster.workers_per_node * kStackBytes;
  estimate.data = experiment.workload->data_bytes();
  estimate.checks = training.bytes_of_checks();
  return estimate;
}

MemoryEstimate estimate_memory(const PlannedRun& run, const std::string& root) {
  Experiment experiment(run.sweep.config, root);
  const ClusterSpec& cluster = experiment.cluster;
  experiment.workload->load({cluster.seed, cluster.nodes, cluster.workers_per_node, root, {}});
  const Training training(experiment, {});
  return estimate_memory(experiment, training);
}

std::uint64_t usable_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  const std::uint64_t machine = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return machine;
  return std::min<std::uint64_t>(machine, limit.rlim_cur);
}

std::string memory_warning(std::uint64_t needed, std::uint64_t usable) {
  if (needed <= usable) return "";
  return fmt::format(
      "warning: a run needs about {} of memory, but this machine gives it at most {}, so it may be "
      "killed or fail. Make the model or the data smaller, or use a larger machine",
      human_bytes(static_cast<double>(needed)), human_bytes(static_cast<double>(usable)));
}

}  // namespace pslab::run
