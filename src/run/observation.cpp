#include "run/observation.hpp"

#include <string_view>
#include <utility>

#include "graph/platform.hpp"

namespace pslab::run {
namespace {

/// By key: whether the bound allows copies of any age.
std::vector<bool> stale_copies(const Experiment& experiment, const KeySpace& keys,
                               const Plan& plan) {
  const bool all = experiment.metrics.copies == OracleCopies::kAnyAge;
  if (all || experiment.metrics.copies == OracleCopies::kFresh) {
    return std::vector<bool>(keys.size(), all);
  }
  std::vector<bool> stale(keys.size(), !experiment.strategy->guarantees().linearizable);
  for (const Key key : plan.replicated) stale[key] = true;
  return stale;
}

}  // namespace

Observation::Observation(const Experiment& experiment, const KeySpace& keys, const Plan& plan)
    : keys_(keys),
      options_(experiment.metrics),
      nodes_(experiment.cluster.nodes),
      workers_per_node_(experiment.cluster.workers_per_node),
      tracers_(std::size_t{nodes_} * workers_per_node_) {
  if (!options_.oracle) return;
  const ClusterSpec& cluster = experiment.cluster;
  const auto platform = graph::Platform::load(cluster.platform, cluster.nodes, cluster.root);
  bound_ = std::make_unique<oracle::Bound>(platform, keys, workers_per_node_,
                                           stale_copies(experiment, keys, plan));
}

void Observation::add_node(NodeId node) {
  if (!options_.record_trace && !options_.oracle) return;
  for (std::uint32_t i = 0; i < workers_per_node_; ++i) {
    tracers_[node * workers_per_node_ + i] = std::make_unique<trace::Tracer>(options_.record_trace);
  }
}

std::optional<double> Observation::oracle_s() {
  if (bound_ == nullptr) return std::nullopt;
  std::vector<std::string_view> workers;
  for (const auto& tracer : tracers_) workers.push_back(tracer->ops().epoch());
  return bound_->epoch_seconds(workers);
}

trace::Trace Observation::trace(int epochs) const {
  trace::Trace trace{.nodes = nodes_,
                     .workers_per_node = workers_per_node_,
                     .epochs = static_cast<std::uint64_t>(epochs),
                     .groups = keys_.whole_groups(),
                     .workers = {}};
  for (const auto& tracer : tracers_) {
    trace.workers.push_back(tracer == nullptr ? "" : tracer->ops().bytes());
  }
  return trace;
}

}  // namespace pslab::run
