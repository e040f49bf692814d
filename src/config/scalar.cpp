#include "config/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace pslab::config {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

template <std::size_t n>
bool is_one_of(std::string_view text, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// A word that other YAML readers take for true or false, in any case.
bool looks_boolean(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords = {"true", "false", "yes", "no",
                                                             "on",   "off",   "y",   "n"};
  return is_one_of(word, kWords);
}

bool means_true(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kWords = {"true", "yes", "on", "y"};
  return is_one_of(word, kWords);
}

// 0x1F, 0o17, 0b101, with or without digit separators.
bool looks_like_other_base(std::string_view digits) {
  if (digits.size() < 3 || digits[0] != '0') return false;
  std::string_view allowed;
  if (digits[1] == 'x' || digits[1] == 'X') allowed = "0123456789abcdefABCDEF_";
  if (digits[1] == 'o' || digits[1] == 'O') allowed = "01234567_";
  if (digits[1] == 'b' || digits[1] == 'B') allowed = "01_";
  return digits.find_first_not_of(allowed, 2) == std::string_view::npos;
}

bool looks_like_real(std::string_view digits) {
  std::size_t at = 0;
  std::size_t before = 0;
  std::size_t after = 0;
  for (; at < digits.size() && is_digit(digits[at]); ++at) ++before;
  if (at < digits.size() && digits[at] == '.') {
    for (++at; at < digits.size() && is_digit(digits[at]); ++at) ++after;
  }
  if (before + after == 0) return false;
  if (at == digits.size()) return true;
  if (digits[at] != 'e' && digits[at] != 'E') return false;
  return all_digits(without_sign(digits.substr(at + 1)));
}

PlainScalar problem(std::string text) {
  return {Value(), std::move(text)};
}

PlainScalar read_integer(std::string_view plain) {
  const std::string_view digits = without_sign(plain);
  if (digits.size() > 1 && digits[0] == '0') {
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    return problem(
        fmt::format("'{}' has a leading zero, which some readers take for octal. Write {} for the "
                    "decimal number, or put it in quotes if a text is meant",
                    plain, digits.substr(first)));
  }
  std::int64_t value = 0;
  const std::string_view unsigned_plus = plain[0] == '+' ? plain.substr(1) : plain;
  const char* end = unsigned_plus.data() + unsigned_plus.size();
  if (std::from_chars(unsigned_plus.data(), end, value).ec != std::errc()) {
    return problem(
        fmt::format("'{}' is beyond the integers that can be held, -9223372036854775808 .. "
                    "9223372036854775807. Where a real is allowed, write it with a decimal point",
                    plain));
  }
  return {Value(value), ""};
}

PlainScalar read_real(std::string_view plain) {
  double value = 0;
  const std::string_view unsigned_plus = plain[0] == '+' ? plain.substr(1) : plain;
  const char* end = unsigned_plus.data() + unsigned_plus.size();
  if (std::from_chars(unsigned_plus.data(), end, value).ec != std::errc()) {
    return problem(
        fmt::format("'{}' is beyond the reals that can be held, about 2.3e-308 .. 1.8e308", plain));
  }
  return {Value(value), ""};
}

}  // namespace

PlainScalar read_plain(std::string_view plain) {
  if (plain.empty() || plain == "~" || plain == "null" || plain == "Null" || plain == "NULL") {
    return {};
  }
  if (plain == "true" || plain == "false") return {Value(plain == "true"), ""};
  const std::string word = lower(plain);
  if (looks_boolean(word)) {
    return problem(
        fmt::format("'{}' is not clear. Write {} if a flag is meant, or put it in quotes "
                    "if a text is meant",
                    plain, means_true(word) ? "true" : "false"));
  }
  const std::string_view digits = without_sign(plain);
  if (all_digits(digits)) return read_integer(plain);
  if (looks_like_real(digits)) return read_real(plain);
  if (looks_like_other_base(digits)) {
    return problem(
        fmt::format("'{}' is not a decimal number. Write it in decimal, or put it in "
                    "quotes if a text is meant",
                    plain));
  }
  if (is_digit(digits.empty() ? ' ' : digits[0]) &&
      digits.find_first_not_of("0123456789_.") == std::string_view::npos &&
      digits.find('_') != std::string_view::npos) {
    return problem(
        fmt::format("'{}' has '_' between its digits. Write the number without it, or put "
                    "it in quotes if a text is meant",
                    plain));
  }
  const std::string_view special = without_sign(word);
  if (special == ".nan" || special == ".inf") {
    return problem(fmt::format("'{}' is not a finite number; only finite ones are allowed", plain));
  }
  return {Value(plain), ""};
}

std::string real_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  std::string text = shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_if_needed(std::string_view text) {
  const auto harmless = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("_./+-").find(c) != std::string_view::npos;
  };
  const bool plain = !text.empty() && (is_letter(text[0]) || text[0] == '_' || text[0] == '/') &&
                     std::all_of(text.begin(), text.end(), harmless);
  if (plain) {
    const PlainScalar back = read_plain(text);
    if (back.problem.empty() && back.value.text() != nullptr) return std::string(text);
  }
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace pslab::config
