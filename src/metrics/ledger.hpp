// Where a worker's time goes and what it accesses. Filled by the mechanisms; strategies, schemes
// and workloads contain no timers or counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pslab::metrics {

/// Every second of a worker belongs to exactly one of these.
enum class Time : std::uint8_t {
  kCompute,         ///< arithmetic of training steps
  kLocalAccess,     ///< reading and writing values of the own node
  kRemoteWait,      ///< sending requests and waiting for remote values
  kRelocationWait,  ///< waiting for a key that is on its way here
  kBarrierWait,     ///< waiting for other workers
};
inline constexpr std::size_t kTimes = 5;
inline constexpr std::array<const char*, kTimes> kTimeNames = {
    "compute", "local_access", "remote_wait", "relocation_wait", "barrier_wait"};

struct WorkerLedger {
  std::array<double, kTimes> seconds{};
  std::uint64_t accesses = 0;        ///< keys pulled and pushed
  std::uint64_t local_accesses = 0;  ///< of these, served on the own node without a message

  double& operator[](Time time) { return seconds[static_cast<std::size_t>(time)]; }
};

/// What a node's mechanisms did. `messages` and `bytes` are indexed by MessageKind and leave out
/// messages of a node to itself.
template <std::size_t kKinds>
struct NodeCounters {
  std::array<std::uint64_t, kKinds> messages{};
  std::array<std::uint64_t, kKinds> bytes{};
  std::uint64_t relocations = 0;           ///< keys that arrived here
  std::uint64_t relocation_conflicts = 0;  ///< wanted elsewhere while still on their way here
  std::uint64_t sync_rounds = 0;           ///< replica synchronisation rounds completed
};

}  // namespace pslab::metrics
