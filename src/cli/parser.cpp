#include "cli/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// Beyond this a time does not fit into the clock's count of nanoseconds.
constexpr double kMostSeconds = 1e9;

/// The whole of `text` as a number.
template <typename Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

CLI::Validator positive_seconds() {
  const auto problem = [](const std::string& text) -> std::string {
    const std::optional<double> seconds = number_of<double>(text);
    if (seconds && *seconds > 0.0 && *seconds <= kMostSeconds) return "";
    return fmt::format("expected seconds, above 0 and at most {:.0f}, seen '{}'", kMostSeconds,
                       printable(text));
  };
  return CLI::Validator(problem, "");
}

CLI::Validator integer_between(int min, int max) {
  const auto problem = [min, max](const std::string& text) -> std::string {
    const std::optional<int> number = number_of<int>(text);
    if (number && *number >= min && *number <= max) return "";
    return fmt::format("expected an integer in {} .. {}, seen '{}'", min, max, printable(text));
  };
  return CLI::Validator(problem, "");
}

bool parse(CLI::App& app, const Arguments& arguments) {
  app.allow_extras();
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return false;
  } catch (const CLI::ParseError& error) {
    fail_input("{}: {}. See: {} --help", app.get_name(), error.what(), app.get_name());
  }
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return true;
  const std::vector<std::string> names = option_names(app);
  const std::string& first = unknown.front();
  if (first.starts_with('-')) {
    fail_input("{}: unknown option '{}'.{} Options: {}.", app.get_name(), printable(first),
               did_you_mean(first, names), join(names, ", "));
  }
  fail_input("{}: unexpected argument '{}'. See: {} --help", app.get_name(), printable(first),
             app.get_name());
}

}  // namespace pslab::cli
