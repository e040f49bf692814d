#include "config/unknown.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pslab::config {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The one option in a nested group that has just this name, or "".
std::string in_a_group(const std::string& key, const std::vector<Declaration>& declared) {
  std::string found;
  for (const Declaration& declaration : declared) {
    if (!declaration.path.ends_with("." + key)) continue;
    if (!found.empty()) return "";
    found = declaration.path;
  }
  return found;
}

std::string advice(const std::string& key, const Value& value,
                   const std::vector<std::string>& names,
                   const std::vector<Declaration>& declared) {
  if (value.is_null() && contains(names, key.substr(0, key.find(':')))) {
    return " Put a space after the colon.";
  }
  const std::size_t dot = key.find('.');
  if (dot != std::string::npos && contains(names, key.substr(0, dot))) {
    return " Write the parts nested, one level per line; a dotted name works under 'sweep' and on "
           "the command line.";
  }
  const std::string nested = in_a_group(key, declared);
  const std::string near = did_you_mean(key, names);
  if (near.empty() && !nested.empty()) return " Did you mean '" + nested + "'?";
  return near;
}

}  // namespace

std::string unknown_option(const std::string& key, const Value& value,
                           const std::vector<std::string>& names,
                           const std::vector<Declaration>& declared) {
  return "unknown option." + printable(advice(key, value, names, declared)) +
         (names.empty() ? " No option is allowed here" : " Allowed here: " + join(names, ", "));
}

}  // namespace pslab::config
