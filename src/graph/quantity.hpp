// Quantities with units, as platform files write them: '1.17 GB/s', '10 Gbit/s', '5 us'. A number
// without a unit is never accepted, so that bits and bytes, or us and ms, cannot be mixed up.
#pragma once

#include <string>
#include <string_view>

namespace pslab::graph {

enum class Dimension { kTime, kBandwidth };

/// Either a value in seconds or bytes per second, or what is wrong with the text.
struct Quantity {
  double value = 0.0;
  std::string problem;  ///< empty: fine; otherwise "expected a unit ...", for Options::reject
};

/// Reads `text`; the value must lie in [min, max] (seconds or bytes per second).
Quantity parse_quantity(std::string_view text, Dimension dimension, double min, double max);

}  // namespace pslab::graph
