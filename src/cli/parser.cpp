#include "cli/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

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

}  // namespace

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
