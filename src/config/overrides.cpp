#include "config/overrides.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/path.hpp"
#include "config/yaml.hpp"

namespace pslab::config {
namespace {

constexpr std::string_view kCommandLine = "command line: ";

// The keys of a sweep are dotted paths themselves, so what follows `sweep.` is one key.
Path key_path(std::string_view dotted, std::string_view place) {
  Path path = split_path(dotted, place);
  if (path[0] != "sweep") return path;
  const std::size_t prefix = path.size() > 1 && path[1] == "zip" ? 2 : 1;
  if (path.size() <= prefix + 1) return path;
  const Path axis(path.begin() + static_cast<std::ptrdiff_t>(prefix), path.end());
  path.resize(prefix);
  path.push_back(join(axis, "."));
  return path;
}

// `x=run #3` would lose its end to YAML's comments.
bool has_comment(std::string_view text) {
  if (text.find_first_of("'\"") != std::string_view::npos) return false;
  const std::size_t hash = text.find('#');
  if (hash == std::string_view::npos) return false;
  return text.starts_with('#') || text.find(" #") != std::string_view::npos ||
         text.find("\t#") != std::string_view::npos || text.find("\n#") != std::string_view::npos;
}

void apply_override(Value& config, std::string_view argument) {
  const Origin origin{std::string(kCommandLine) + printable(argument), 0};
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) {
    fail_input(
        "{}: is not an override, it has no '='. Write KEY.PATH=VALUE, as in "
        "'cluster.nodes=4'.",
        origin.source);
  }
  const Path path = key_path(argument.substr(0, equals), origin.source);
  const std::string_view text = argument.substr(equals + 1);
  if (has_comment(text)) {
    fail_input("{}: '#' starts a comment in YAML. Put the value in quotes.", origin.source);
  }
  Value value = parse_yaml_value(text, origin);
  if (const Value* present = find_path(config, path)) {
    if (const Value* earlier = find_override(*present)) {
      fail_input("{}: would undo what '{}' set. Give each path once.", origin.source,
                 earlier->origin().source.substr(kCommandLine.size()));
    }
  }
  set_path(config, path, std::move(value), origin.source);
}

}  // namespace

const Value* find_override(const Value& value) {
  if (value.origin().source.starts_with(kCommandLine)) return &value;
  if (const List* list = value.list()) {
    for (const Value& item : *list) {
      if (const Value* found = find_override(item)) return found;
    }
  }
  if (const Map* map = value.map()) {
    for (const auto& [key, member] : *map) {
      if (const Value* found = find_override(member)) return found;
    }
  }
  return nullptr;
}

void apply_overrides(Value& config, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) apply_override(config, argument);
}

}  // namespace pslab::config
