#include "config/overrides.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
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

// `zip` has lost a column, so rows that differed there only are the same combination.
void merge_rows(Map& zip, const List& lost) {
  for (const auto& [path, values] : zip) {
    if (!values.is_list() || values.list()->size() != lost.size()) return;  // refused later
  }
  std::unordered_map<std::string, std::size_t> first_of;
  std::vector<bool> drop(lost.size(), false);
  for (std::size_t i = 0; i < lost.size(); ++i) {
    std::string row;
    for (const auto& [path, values] : zip) row += (*values.list())[i].flow() + "\n";
    const auto [first, is_new] = first_of.emplace(row, i);
    drop[i] = !is_new && lost[first->second] != lost[i];
  }
  for (auto& [path, values] : zip) {
    std::size_t at = 0;
    std::erase_if(*values.list(), [&](const Value&) { return drop[at++]; });
  }
}

/// An override, and what it takes out of the sweep.
class SweptPaths {
 public:
  SweptPaths(const Path& path, const Value& value, std::string_view argument)
      : dotted_(join(path, ".")), value_(value), argument_(argument) {}

  void take_out_of(Value& sweep, std::vector<std::string>& notes) {
    if (sweep.map() == nullptr) return;
    take_out(*sweep.map(), notes);
    Value* zip = sweep.find("zip");
    if (zip == nullptr) return;
    bool emptied = false;
    if (zip->map() != nullptr) emptied = take_out_of_zip(*zip->map(), notes);
    if (zip->list() != nullptr) {
      std::erase_if(*zip->list(), [&](Value& one) {
        return one.map() != nullptr && take_out_of_zip(*one.map(), notes);
      });
      emptied = zip->list()->empty();
    }
    if (emptied) std::erase_if(*sweep.map(), [](const auto& m) { return m.first == "zip"; });
  }

 private:
  bool take_out_of_zip(Map& zip, std::vector<std::string>& notes) {
    const List lost = take_out(zip, notes);
    if (!lost.empty()) merge_rows(zip, lost);
    return zip.empty();
  }

  /// The values that were swept; with several paths those of the last.
  List take_out(Map& axes, std::vector<std::string>& notes) {
    List lost;
    std::erase_if(axes, [&](const auto& axis) {
      const auto& [path, values] = axis;
      if (!is_given(path, values) || find_override(values) != nullptr) return false;
      notes.push_back(fmt::format("{} takes {} out of the sweep ({})", printable(argument_),
                                  printable(path), values.origin().text()));
      if (values.list() != nullptr) lost = *values.list();
      return true;
    });
    return lost;
  }

  bool is_given(const std::string& swept, const Value& values) const {
    if (swept == dotted_) return true;
    if (!swept.starts_with(dotted_ + ".")) return false;
    const std::string rest = swept.substr(dotted_.size() + 1);
    return find_path(value_, split_path(rest, values.origin().text())) != nullptr;
  }

  std::string dotted_;
  const Value& value_;
  std::string_view argument_;
};

void apply_override(Value& config, std::string_view argument, std::vector<std::string>& notes) {
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
  if (Value* sweep = config.find("sweep"); sweep != nullptr && path[0] != "sweep") {
    SweptPaths(path, value, argument).take_out_of(*sweep, notes);
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

std::vector<std::string> apply_overrides(Value& config, const std::vector<std::string>& arguments) {
  std::vector<std::string> notes;
  for (const std::string& argument : arguments) apply_override(config, argument, notes);
  return notes;
}

}  // namespace pslab::config
