// At which clock of the strategy (Plan::clocks) something happened, and what a bound on staleness
// asks for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>

#include "api/plan.hpp"
#include "checks/history.hpp"

namespace pslab::checks {

/// Within an epoch. Clocks begin anew at each barrier, where every worker sees all that was pushed.
struct ClockTime {
  std::uint32_t barriers;
  std::uint64_t clock;
  auto operator<=>(const ClockTime&) const = default;
};

inline ClockTime clock_of(const Event& event, const Clocks& clocks) {
  return {event.barriers, event.steps / clocks.steps_per_clock};
}

/// A pull at `now` may miss pushes of others from here on.
inline ClockTime oldest_missed(const ClockTime& now, const Clocks& clocks) {
  return {now.barriers, now.clock - std::min<std::uint64_t>(now.clock, clocks.staleness)};
}

inline std::string clock_text(const ClockTime& time) {
  return fmt::format("clock {}", time.clock) +
         (time.barriers == 0 ? "" : fmt::format(" after barrier {}", time.barriers));
}

}  // namespace pslab::checks
