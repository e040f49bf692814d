#include "config/path.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"

namespace pslab::config {

Path split_path(std::string_view dotted, std::string_view place) {
  Path path;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
    path.emplace_back(dotted.substr(begin, end - begin));
    if (path.back().empty() || path.back().find_first_of(" \t\n") != std::string::npos) {
      fail_input(
          "{}: the path '{}' is not well formed. Write names with single dots in between, "
          "as in 'cluster.nodes'.",
          place, printable(dotted));
    }
    if (path.back().find('[') != std::string::npos) {
      fail_input("{}: the path '{}' names an element of a list. Only a whole list can be given.",
                 place, printable(dotted));
    }
    if (path.size() > kMaxDepth) {
      fail_input("{}: the path has more than {} parts.", place, kMaxDepth);
    }
    if (end == dotted.size()) return path;
    begin = end + 1;
  }
}

const Value* find_path(const Value& root, const Path& path) {
  const Value* value = &root;
  for (const std::string& part : path) {
    if (value != nullptr) value = value->find(part);
  }
  return value;
}

void set_path(Value& root, const Path& path, Value value, std::string_view place) {
  Value* at = &root;
  Path walked;
  for (const std::string& part : path) {
    // An option left empty ("workload:") may be filled from elsewhere.
    if (at->is_null()) *at = Value(Map{}, value.origin());
    if (!at->is_map()) {
      fail_input(
          "{}: '{}' is {} ({}), not a map, so it has no '{}'. Replace it whole: '{}={{...}}'.",
          place, printable(join(walked, ".")), at->describe(), at->origin().text(), printable(part),
          printable(join(walked, ".")));
    }
    Value* next = at->find(part);
    if (next == nullptr) next = &at->map()->emplace_back(part, Value()).second;
    at = next;
    walked.push_back(part);
  }
  *at = std::move(value);
}

}  // namespace pslab::config
