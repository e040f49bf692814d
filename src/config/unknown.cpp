#include "config/unknown.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pslab::config {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The one declared option that has just this name, or "".
std::string the_one(const std::string& key, const std::vector<Declaration>& declared) {
  std::string found;
  for (const Declaration& declaration : declared) {
    if (!declaration.path.ends_with("." + key)) continue;
    if (!found.empty()) return "";
    found = declaration.path;
  }
  return found;
}

// Where a key that is near to none of its map's names may belong: first into a group of this map,
// then anywhere; first by its very name, then by a near one.
std::string elsewhere(const std::string& key, const std::vector<Declaration>& inner,
                      const std::vector<Declaration>& all) {
  for (const auto* declared : {&inner, &all}) {
    std::vector<std::string> last_parts;
    for (const Declaration& declaration : *declared) {
      last_parts.push_back(declaration.path.substr(declaration.path.rfind('.') + 1));
    }
    for (const std::string& name : {key, nearest_name(key, last_parts)}) {
      const std::string found = name.empty() ? "" : the_one(name, *declared);
      if (!found.empty()) return found;
    }
  }
  return "";
}

std::string advice(const std::string& key, const Value& value,
                   const std::vector<std::string>& names, const std::vector<Declaration>& inner,
                   const std::vector<Declaration>& all) {
  if (value.is_null() && contains(names, key.substr(0, key.find(':')))) {
    return " Put a space after the colon.";
  }
  const std::size_t dot = key.find('.');
  if (dot != std::string::npos && contains(names, key.substr(0, dot))) {
    return " Write the parts nested, one level per line; a dotted name works under 'sweep' and on "
           "the command line.";
  }
  const std::string near = did_you_mean(key, names);
  if (!near.empty()) return near;
  const std::string other = elsewhere(key, inner, all);
  return other.empty() ? "" : " Did you mean '" + other + "'?";
}

}  // namespace

std::string unknown_option(const std::string& key, const Value& value,
                           const std::vector<std::string>& names,
                           const std::vector<Declaration>& inner,
                           const std::vector<Declaration>& all) {
  return "unknown option." + printable(advice(key, value, names, inner, all)) +
         (names.empty() ? " No option is allowed here" : " Allowed here: " + join(names, ", "));
}

}  // namespace pslab::config
