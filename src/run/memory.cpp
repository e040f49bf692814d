#include "run/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "manager/directory.hpp"
#include "run/training.hpp"

namespace pslab::run {
namespace {

constexpr std::uint64_t kStackBytes = 256 << 10;
/// Floats for each float of a replica: its value, the agreed one, and up to two changes in a round.
constexpr std::uint64_t kReplicaFloats = 4;
/// Bytes for a copy beside its floats: state, entries in tables.
constexpr std::uint64_t kCopyBytes = 48;

/// For each key, how many nodes may copy it. Where a workload does not say which node accesses
/// what, another one may with each access.
std::vector<float> most_copies(const Workload& workload, const Plan& plan, Key num_keys,
                               NodeId nodes) {
  std::vector<float> copies;
  const manager::HomeMap homes(plan, num_keys, nodes, 0);
  for (NodeId node = 0; node < nodes; ++node) {
    for (const KeyCount& count : workload.node_accesses(node)) {
      copies.resize(num_keys, 0.0F);
      if (homes.home(count.key) != node) ++copies[count.key];
    }
  }
  const bool known = !copies.empty();
  const std::vector<float> direct = known ? std::vector<float>() : workload.direct_accesses();
  const std::vector<float> samples = workload.sample_accesses();
  copies.resize(num_keys, 0.0F);
  for (Key key = 0; key < num_keys; ++key) {
    float more = known || !direct.empty() ? 0.0F : static_cast<float>(nodes);
    if (!direct.empty()) more += direct[key];
    if (!samples.empty()) more += samples[key];
    copies[key] = std::min(copies[key] + std::ceil(more), static_cast<float>(nodes - 1));
  }
  return copies;
}

std::uint64_t bytes_of_copies(const Workload& workload, const Plan& plan, const KeySpace& keys,
                              NodeId nodes) {
  // Value and sum; and where owners push, what they know of the copy.
  const std::uint64_t floats = plan.clocks && !plan.clocks->server_push ? 2 : 3;
  const std::vector<float> copies = most_copies(workload, plan, keys.size(), nodes);
  std::uint64_t bytes = 0;
  for (Key key = 0; key < keys.size(); ++key) {
    bytes += static_cast<std::uint64_t>(copies[key]) *
             (floats * keys.length(key) * sizeof(float) + kCopyBytes);
  }
  return bytes;
}

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
    const std::uint64_t value = keys.length(key) * sizeof(float);
    estimate.values -= value;
    estimate.replicas += nodes * kReplicaFloats * value;
  }
  if (plan.clocks || plan.intents) {
    estimate.copies = bytes_of_copies(*experiment.workload, plan, keys, cluster.nodes);
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
  experiment.workload->load(
      {cluster.seed, cluster.nodes, cluster.workers_per_node, root, {}, experiment.train.epochs});
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
