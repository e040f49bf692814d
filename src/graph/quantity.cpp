#include "graph/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace pslab::graph {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

struct Scale {
  std::string_view example;
  std::string_view base;  // the unit of the value
  std::vector<Unit> units;
  // Endings that people write, and the unit's own. Edit distance is no use here: the name nearest
  // to 'Gbps' is 'GB/s', wrong by a factor of eight.
  std::vector<std::pair<std::string_view, std::string_view>> spellings;
};

const Scale& scale_of(Dimension dimension) {
  static const Scale kTime{"5 us",
                           "s",
                           {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}},
                           {{"sec", "s"}, {"\u00B5s", "us"}, {"\u03BCs", "us"}}};
  static const Scale kBandwidth{"10 Gbit/s",
                                "B/s",
                                {{"B/s", 1.0},
                                 {"kB/s", 1e3},
                                 {"MB/s", 1e6},
                                 {"GB/s", 1e9},
                                 {"bit/s", 0.125},
                                 {"kbit/s", 125.0},
                                 {"Mbit/s", 125e3},
                                 {"Gbit/s", 125e6}},
                                {{"bps", "bit/s"}, {"b/s", "bit/s"}, {"Bps", "B/s"}}};
  return dimension == Dimension::kTime ? kTime : kBandwidth;
}

const Unit* find_unit(const Scale& scale, std::string_view name) {
  for (const Unit& unit : scale.units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string unit_names(const Scale& scale) {
  std::vector<std::string> names;
  for (const Unit& unit : scale.units) names.emplace_back(unit.name);
  return join(names, ", ");
}

std::string unit_hint(const Scale& scale, std::string_view seen) {
  for (const auto& [ending, own] : scale.spellings) {
    if (!seen.ends_with(ending)) continue;
    const std::string name =
        std::string(seen.substr(0, seen.size() - ending.size())) + std::string(own);
    if (find_unit(scale, name) != nullptr) return fmt::format(" (did you mean '{}'?)", name);
  }
  return "";
}

Quantity problem(std::string text) {
  return {.value = 0.0, .problem = std::move(text)};
}

}  // namespace

Quantity parse_quantity(std::string_view text, Dimension dimension, double min, double max) {
  const Scale& scale = scale_of(dimension);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) {
    return problem(fmt::format("expected a number and a unit, such as '{}' (units: {})",
                               scale.example, unit_names(scale)));
  }
  std::string_view unit_name = text.substr(static_cast<std::size_t>(end - text.data()));
  unit_name.remove_prefix(std::min(unit_name.find_first_not_of(' '), unit_name.size()));
  if (unit_name.empty()) {
    return problem(fmt::format("expected a unit after the number, such as '{}' (units: {})",
                               scale.example, unit_names(scale)));
  }
  const Unit* unit = find_unit(scale, unit_name);
  if (unit == nullptr) {
    return problem(fmt::format("expected a unit of {}, and not '{}'{}", unit_names(scale),
                               printable(unit_name), unit_hint(scale, unit_name)));
  }
  const double value = number * unit->factor;
  if (value < min || value > max) {
    return problem(
        fmt::format("expected {0} {2} .. {1} {2}", shortest(min), shortest(max), scale.base));
  }
  return {.value = value, .problem = ""};
}

}  // namespace pslab::graph
