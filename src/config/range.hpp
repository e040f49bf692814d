// How the range of a number is written in messages and listings.
#pragma once

#include <cstdint>
#include <string>

namespace pslab::config {

/// "1 .. 100000", "0 or more", "100 or less", or "" without limits.
std::string range_text(std::int64_t min, std::int64_t max);
std::string range_text(double min, double max);

}  // namespace pslab::config
