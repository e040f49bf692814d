// What a worker does, one call of Worker after the other, as a trace keeps it.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace pslab::trace {

/// Numbers are part of the file format.
enum class Kind : std::uint8_t {
  kEpoch = 0,  ///< training of an epoch begins; `number`: which one
  kPull = 1,
  kPullAsync = 2,
  kPush = 3,
  kPushAsync = 4,
  kLocalize = 5,
  kLocalizeAsync = 6,
  kWait = 7,  ///< `number`: asynchronous calls made after the one that is waited for
  kClock = 8,
  kIntent = 9,  ///< `number`: clocks from now to the start; `length`: clocks from start to end
  kPrepareSample = 10,  ///< `number`: how many
  kSample = 11,         ///< `keys`: those that were handed out
  kBarrier = 12,
  kCompute = 13,  ///< `flops`
  kEnd = 14,      ///< training of the epoch ends
};
inline constexpr std::uint8_t kKinds = 15;

/// Fields that a kind does not have are not kept.
struct Op {
  Kind kind = Kind::kClock;
  /// Nanoseconds since the run began, rounded down: when the call was executed. In a simulation, a
  /// worker runs ahead of that by `ahead_ns`, rounded up, of work that it has done already; 0 for
  /// kinds that wait for nothing.
  std::int64_t time_ns = 0;
  std::int64_t ahead_ns = 0;
  std::int64_t number = 0;
  std::int64_t length = 0;
  double flops = 0.0;
  std::span<const Key> keys{};
};

/// Which fields a kind has, beside what its comment says.
struct Fields {
  bool time = false;
  bool ahead = false;
  bool number = false;
  bool keys = false;
};

constexpr Fields fields(Kind kind) {
  switch (kind) {
    case Kind::kEpoch:
      return {.time = true, .number = true};
    case Kind::kPull:
    case Kind::kSample:
      return {.time = true, .ahead = true, .keys = true};
    case Kind::kPullAsync:
    case Kind::kPush:
    case Kind::kPushAsync:
      return {.time = true, .keys = true};
    case Kind::kLocalize:
    case Kind::kLocalizeAsync:
      return {.keys = true};
    case Kind::kWait:
      return {.time = true, .ahead = true, .number = true};
    case Kind::kIntent:
      return {.number = true, .keys = true};
    case Kind::kPrepareSample:
      return {.number = true};
    case Kind::kBarrier:
    case Kind::kEnd:
      return {.time = true};
    case Kind::kClock:
    case Kind::kCompute:
      break;
  }
  return {};
}

}  // namespace pslab::trace
