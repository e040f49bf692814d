// Histories for people.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/plan.hpp"
#include "checks/history.hpp"

namespace pslab::checks {

/// Which pushes a value contains: "5 of w0, 7 of w2", "none". `counters`: without the last one.
std::string pushes_text(std::span<const float> counters);

/// Which events to show.
struct Excerpt {
  Key key = 0;
  std::vector<WorkerId> workers{};                           ///< empty: of all
  double until_s = std::numeric_limits<double>::infinity();  ///< that had begun by then
  bool evaluation = true;                                    ///< those of evaluation, too
  std::optional<Clocks> clocks{};                            ///< at which of them
  std::size_t most = 0;                                      ///< the last ones
};

/// Each on a line, in order of time, after one that says how many there were before.
std::string events_text(const EpochHistory& history, const Excerpt& excerpt);

}  // namespace pslab::checks
