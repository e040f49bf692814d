// What a run records of its workers' calls, and the bound that it computes from that.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/key_space.hpp"
#include "api/plan.hpp"
#include "oracle/bound.hpp"
#include "run/experiment.hpp"
#include "trace/trace_file.hpp"
#include "trace/tracer.hpp"

namespace pslab::run {

class Observation {
 public:
  /// `keys` must outlive it.
  Observation(const Experiment& experiment, const KeySpace& keys, const Plan& plan);

  /// Of the node's workers. Not while others call it.
  void add_node(NodeId node);
  /// Null: nobody notes what this worker calls.
  trace::Tracer* tracer(WorkerId worker) const { return tracers_[worker].get(); }

  /// Of the epoch that all workers have ended; nullopt: not asked for.
  std::optional<double> oracle_s();
  /// What the workers of this process did in all epochs, `epochs` of them.
  trace::Trace trace(int epochs) const;

 private:
  const KeySpace& keys_;
  MetricsOptions options_;
  NodeId nodes_;
  std::uint32_t workers_per_node_;
  std::vector<std::unique_ptr<trace::Tracer>> tracers_;  ///< by worker; null: elsewhere, or none
  std::unique_ptr<oracle::Bound> bound_;                 ///< null: not asked for
};

}  // namespace pslab::run
