// A management strategy: decides where each parameter lives and what is done for it. It never sends
// a message and never touches a value; the mechanisms (src/manager) act on what it decides. To
// write one: strategies/README.md. Nobody but strategies and the code that consults them needs
// this.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "api/plan.hpp"
#include "base/types.hpp"

namespace pslab {

/// What a strategy may know of the task before training. Lives for the whole run.
struct Task {
  const KeySpace& keys;
  NodeId nodes;
  std::uint32_t workers_per_node;
  /// Expected accesses per key and epoch over the whole cluster, by direct use and by sampling;
  /// empty when the workload does not know. Computed on first call.
  std::function<const std::vector<float>&()> direct_accesses;
  std::function<const std::vector<float>&()> sample_accesses;
  /// Direct accesses per epoch by the workers of one node: each key that they access, ascending.
  /// Empty for all nodes when the workload does not know. Computed on every call.
  std::function<std::vector<KeyCount>(NodeId)> node_accesses = [](NodeId) {
    return std::vector<KeyCount>();
  };
  /// A line for the run's log.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

/// What a strategy promises; checked by the conformance suite, and in any run by checks.history.
struct Guarantees {
  /// A worker's pull sees all its earlier pushes, waited for or not.
  bool reads_own_writes = true;
  /// A worker's pull sees all that an earlier pull of the same worker saw.
  bool monotonic_reads = true;
  /// Of keys that are not in Plan::replicated: every pull and push takes effect at one moment
  /// between its call and the end of its wait (a push that nobody waits for: some time after its
  /// call). So all workers see the pushes to a key in one order.
  bool linearizable = true;
  /// Keys in Plan::replicated are, at the end of an epoch, their initial value plus all pushes.
  /// False: their replicas agree then, and nothing else is promised for these keys.
  bool keeps_replica_sums = true;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Called once per run, before values exist. The same answer on every node for the same task.
  virtual void plan(const Task& task, Plan& plan) = 0;

  /// A worker called localize for this key, which is not replicated: true: move it to that worker's
  /// node; false: ignore the call. Called by workers, often; must be quick and answer the same on
  /// every node.
  virtual bool relocates(Key /*key*/) const { return false; }

  // With Plan::intents:
  /// A node that is interested in a key has asked for it: true: the key moves there; false: that
  /// node gets a replica. `others_interested`: how many other nodes are interested now, as far as
  /// the owner knows.
  virtual bool moves(Key /*key*/, std::uint32_t others_interested) const {
    return others_interested == 0;
  }
  /// How many clocks ahead of a worker's to act on its intents. Called once per worker and round;
  /// `clocks` have passed since the last. `expected`: the strategy's own estimate for this worker,
  /// 0 at first.
  virtual std::uint64_t action_window(std::uint64_t /*clocks*/, double& /*expected*/) const {
    return ~std::uint64_t{0};
  }

  virtual Guarantees guarantees() const { return {}; }
};

}  // namespace pslab
