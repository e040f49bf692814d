// Histories for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checks/history.hpp"

namespace pslab::checks {

/// Which pushes a value contains: "5 of w0, 7 of w2", "none". `counters`: without the last one.
std::string pushes_text(std::span<const float> counters);

/// The last `most` events of a key, of these workers (empty: of all), each on a line, in order of
/// time, after one that says how many there were before.
std::string events_text(const EpochHistory& history, std::uint64_t key,
                        const std::vector<WorkerId>& workers, std::size_t most);

}  // namespace pslab::checks
