// What a strategy tells the mechanisms once per run, before training.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace pslab {

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
  /// Whether intents wait until they are due (Strategy::action_window), however early they come.
  bool timed = true;
};

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

}  // namespace pslab
