// JSON as result files use it.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace pslab::run {

using Json = nlohmann::ordered_json;  ///< keeps the order of its members, so files are stable

/// JSON has no NaN and no infinity; they become the texts "nan", "inf", "-inf".
inline Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/// Reads what number() made.
inline double to_double(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return HUGE_VAL;
  if (value == "-inf") return -HUGE_VAL;
  return std::nan("");
}

/// One line, or several with `indent`. Never fails: bytes that are not UTF-8 are replaced.
inline std::string to_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pslab::run
