#include "data/cell_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kLongestExcerpt = 60;

[[noreturn]] void refuse(std::string_view field, const LineReader& at, std::string_view problem,
                         std::string_view hint = "") {
  fail_input("{}: the value '{}' {}{}{}", at.place(), excerpt(field), problem,
             hint.empty() ? "" : ". ", hint);
}

}  // namespace

std::string excerpt(std::string_view bytes) {
  if (bytes.size() <= kLongestExcerpt) return printable(bytes);
  return printable(bytes.substr(0, kLongestExcerpt)) + "...";
}

float parse_value(std::string_view field, const LineReader& at, std::string_view hint) {
  std::string_view digits = field;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  float value = 0.0F;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
  if (error == std::errc() && end == digits.end() && std::isfinite(value)) return value;

  if (error == std::errc::result_out_of_range && end == digits.end()) {
    refuse(field, at, "does not fit into a 32-bit float (about 1e-45 to 3.4e38)");
  }
  if (error == std::errc() && end == digits.end()) {
    refuse(field, at, "is not finite; remove the record or give it a number");
  }
  if (std::count(field.begin(), field.end(), ',') == 1) {
    refuse(field, at, "is not a number; use a decimal point, not a comma");
  }
  refuse(field, at, "is not a number", hint);
}

}  // namespace pslab::data
