#include "config/range.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace pslab::config {
namespace {

std::string between(bool has_min, const std::string& min, bool has_max, const std::string& max) {
  if (has_min && has_max) return fmt::format("{} .. {}", min, max);
  if (has_min) return min + " or more";
  return has_max ? max + " or less" : "";
}

// Like shortest(), but a limit such as 1000000 keeps its zeros.
std::string limit(double value) {
  const bool plain = std::trunc(value) == value && std::abs(value) < 1e15;
  return plain ? fmt::format("{:.0f}", value) : shortest(value);
}

}  // namespace

std::string range_text(std::int64_t min, std::int64_t max) {
  using Limits = std::numeric_limits<std::int64_t>;
  return between(min != Limits::min(), std::to_string(min), max != Limits::max(),
                 std::to_string(max));
}

std::string range_text(double min, double max) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return between(min > -kLargest, limit(min), max < kLargest, limit(max));
}

}  // namespace pslab::config
