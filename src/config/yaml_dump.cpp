#include <string>

#include "base/text.hpp"
#include "config/scalar.hpp"
#include "config/yaml.hpp"

namespace pslab::config {
namespace {

constexpr std::size_t kLineLength = 100;

bool is_collection(const Value& value) {
  return value.is_list() || value.is_map();
}

bool is_empty(const Value& value) {
  return (value.is_list() && value.list()->empty()) || (value.is_map() && value.map()->empty());
}

// Whether the value stands behind its "key:" or "-" on the same line: scalars, empty collections,
// and short lists of scalars.
bool on_one_line(const Value& value, std::size_t indent) {
  if (!is_collection(value) || is_empty(value)) return true;
  if (value.is_map()) return false;
  for (const Value& item : *value.list()) {
    if (is_collection(item)) return false;
  }
  return indent + value.flow().size() <= kLineLength;
}

void dump(const Value& value, std::size_t indent, std::string& out);

void dump_map(const Map& members, std::size_t indent, std::string& out) {
  bool first = true;
  for (const auto& [key, value] : members) {
    if (!first) out.append(indent, ' ');
    first = false;
    const std::string name = quoted_if_needed(key);
    out += name + ":";
    if (on_one_line(value, indent + name.size() + 2)) {
      out += " " + value.flow() + "\n";
    } else {
      out += "\n";
      out.append(indent + 2, ' ');
      dump(value, indent + 2, out);
    }
  }
}

void dump_list(const List& items, std::size_t indent, std::string& out) {
  bool first = true;
  for (const Value& item : items) {
    if (!first) out.append(indent, ' ');
    first = false;
    out += "- ";
    if (on_one_line(item, indent + 2)) {
      out += item.flow() + "\n";
    } else {
      dump(item, indent + 2, out);
    }
  }
}

// Writes from the column `indent`, where the first line's indentation already stands.
void dump(const Value& value, std::size_t indent, std::string& out) {
  if (is_empty(value)) {
    out += value.flow() + "\n";
  } else if (value.is_map()) {
    dump_map(*value.map(), indent, out);
  } else if (value.is_list()) {
    dump_list(*value.list(), indent, out);
  } else {
    out += value.flow() + "\n";
  }
}

}  // namespace

std::string dump_yaml(const Value& value) {
  std::string out;
  dump(value, 0, out);
  return out;
}

}  // namespace pslab::config
