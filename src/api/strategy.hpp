// A management strategy: decides where each parameter lives and what is done for it. It never sends
// a message and never touches a value; the mechanisms (src/manager) act on what it decides. To
// write one: strategies/README.md. Nobody but strategies and the code that consults them needs
// this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/key_space.hpp"
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

/// Which node owns a key at first; that node is also the key's home for ever. Key modulo nodes,
/// equal ranges of keys, or as Plan::owners says.
enum class Placement { kHash, kRange, kExplicit };

/// How changes travel in a round; see manager/sync_steps.hpp.
enum class SyncMethod { kButterfly, kTree, kOwnerHub };

/// Periodic all-reduce of the deltas of keys that are replicated on every node (NuPS, section 4).
struct AllReduce {
  double rounds_per_second = 25.0;  ///< a target, not a guarantee; 0: only at the end of an epoch
  SyncMethod method = SyncMethod::kButterfly;
  /// Deltas of a smaller L2 norm wait and grow, at most until the end of the epoch; 0: none wait.
  double threshold = 0.0;
  bool average = false;  ///< applied is the sum of all deltas divided by the number of nodes
  /// A sum whose norm is more than this many times the mean is scaled down to it; 0: none is.
  double clip = 0.0;

  /// Whether replicas end up with the sum of all pushes.
  bool keeps_sums() const { return !average && clip <= 0.0; }
};

/// Copies whose staleness is bounded by clocks (SSP, ESSP).
struct Clocks {
  std::uint32_t staleness = 1;  ///< s: a worker at clock c misses no push made before clock c - s
  std::uint64_t steps_per_clock = 1;  ///< Worker::advance_clock calls that make a clock here
  bool server_push = false;  ///< owners push changes to all who have read (ESSP), else nodes ask
};

/// Nodes act on announced accesses (Worker::intent) in rounds, in which they also synchronise the
/// replicas that these ask for.
struct IntentRounds {
  double rounds_per_second = 1000.0;
};

/// What the mechanisms are told once per run, before training.
struct Plan {
  Placement placement = Placement::kHash;
  std::vector<std::uint16_t> owners{};  ///< kExplicit: the node of each key; else empty
  /// Workers read and write values of their own node in shared memory; false: through its server.
  bool fast_local_access = true;
  /// Nodes remember where a key was last seen, and ask there first.
  bool location_caches = false;
  /// Keys that every node holds a replica of, in any order, each once.
  std::vector<Key> replicated;
  AllReduce all_reduce;
  /// Keys stay at their homes and other nodes make copies of what they access. Excludes
  /// `replicated`, and that keys are relocated.
  std::optional<Clocks> clocks;
  /// Keys move or are replicated as intents ask for; without it an intent is a localize. Excludes
  /// `replicated` and `clocks`.
  std::optional<IntentRounds> intents;
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
