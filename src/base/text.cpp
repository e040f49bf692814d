#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>

namespace pslab {
namespace {

// What two names are compared by: case and the two word separators are mistaken most often.
std::string folded(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

// Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

// How many edits still make a plausible slip of the finger. A one-letter name is near to nothing.
std::size_t tolerated_edits(std::size_t length) {
  return length < 2 ? 0 : std::max<std::size_t>(1, length / 3);
}

std::string three_digits(double value, std::string_view unit) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::string number = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return fmt::format("{} {}", number, unit);
}

std::string scaled(double value, double step, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // The half is what would round up to a full step ("1000 us" is written "1 ms").
  while (unit + 1 < units.size() && value >= step - 0.5) {
    value /= step;
    ++unit;
  }
  return three_digits(value, units[unit]);
}

}  // namespace

std::string nearest_name(std::string_view seen, const std::vector<std::string>& names) {
  const std::string wanted = folded(seen);
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& name : names) {
    const std::size_t limit = tolerated_edits(name.size());
    const std::size_t longer = std::max(name.size(), wanted.size());
    if (longer - std::min(name.size(), wanted.size()) > limit) continue;
    const std::size_t distance = edit_distance(wanted, folded(name));
    if (distance > limit || (!best.empty() && distance >= best_distance)) continue;
    best = name;
    best_distance = distance;
  }
  if (!best.empty() || wanted.size() < 3) return best;
  const auto abbreviated = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return folded(name).starts_with(wanted);
  });
  return abbreviated == names.end() ? std::string() : *abbreviated;
}

std::string did_you_mean(std::string_view seen, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(seen, names);
  return nearest.empty() ? std::string() : fmt::format(" Did you mean '{}'?", nearest);
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::size_t utf8_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Over-long forms, surrogates, and what lies beyond U+10FFFF.
  const unsigned second = byte(1);
  if (first == 0xE0 && second < 0xA0) return 0;
  if (first == 0xED && second > 0x9F) return 0;
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;
  return length;
}

std::string printable(std::string_view bytes) {
  std::string result;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    const auto first = static_cast<unsigned char>(bytes[0]);
    // U+0080 .. U+009F are control characters too, and some terminals obey them.
    const bool control =
        first < 0x20 || first == 0x7F ||
        (first == 0xC2 && length == 2 && static_cast<unsigned char>(bytes[1]) < 0xA0);
    if (length == 0 || control) {
      result += fmt::format("\\x{:02x}", first);
      bytes.remove_prefix(1);
    } else {
      result += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return result;
}

std::string open_failure(const std::string& path, int reason) {
  const std::string text = std::generic_category().message(reason);
  if (reason == EACCES) return text + "; make it readable for you";
  if (reason != ENOENT || std::filesystem::path(path).is_absolute()) return text;
  std::error_code error;
  return fmt::format("{}; a relative path counts from the working directory, {}", text,
                     printable(std::filesystem::current_path(error).string()));
}

std::string thread_failure(const std::string& reason) {
  return fmt::format(
      "a thread could not be started: {}. A limit of memory or of processes is too low for this "
      "run ('ulimit -v', 'ulimit -u'): raise it, or use fewer cluster.workers_per_node",
      reason);
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shell_quoted(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,./:") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string human_bytes(double bytes) {
  static constexpr std::array<std::string_view, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                             "TiB", "PiB", "EiB"};
  if (!std::isfinite(bytes)) return shortest(bytes) + " B";
  return bytes < 0 ? "-" + human_bytes(-bytes) : scaled(bytes, 1024, kUnits);
}

std::string human_traffic(double bytes) {
  static constexpr std::array<std::string_view, 7> kUnits = {"B",  "kB", "MB", "GB",
                                                             "TB", "PB", "EB"};
  return std::isfinite(bytes) ? scaled(bytes, 1000, kUnits) : shortest(bytes) + " B";
}

std::string human_seconds(double seconds) {
  static constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
  if (!std::isfinite(seconds)) return shortest(seconds) + " s";
  if (seconds < 0) return "-" + human_seconds(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 0.9995) return scaled(seconds * 1e9, 1000, kUnits);
  if (seconds < 59.95) return three_digits(seconds, "s");
  const double minutes = std::round(seconds / 60);
  if (seconds < 3599.5) {
    const double whole = std::round(seconds);
    return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
  }
  if (minutes < 24 * 60) {
    return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
  }
  const double hours = std::round(seconds / 3600);
  return fmt::format("{:.0f} d {:.0f} h", std::floor(hours / 24), std::fmod(hours, 24));
}

}  // namespace pslab
