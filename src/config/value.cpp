#include "config/value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "config/scalar.hpp"

namespace pslab::config {
namespace {

// Enough to recognise a text in a message, without flooding the terminal.
constexpr std::size_t kShownCharacters = 60;

std::string shortened(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t shown = 0; end < text.size() && shown < kShownCharacters; ++shown) {
    end += std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(end)));
  }
  return printable(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

}  // namespace

std::string Origin::text() const {
  if (source.empty()) return "default";
  return line > 0 ? fmt::format("{}:{}", source, line) : source;
}

const Value* Value::find(std::string_view key) const {
  const Map* members = map();
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [&](const auto& member) { return member.first == key; });
  return found == members->end() ? nullptr : &found->second;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

std::string Value::describe() const {
  if (const bool* value = boolean()) return *value ? "the flag true" : "the flag false";
  if (const std::int64_t* value = integer()) return fmt::format("the integer {}", *value);
  if (const double* value = real()) return fmt::format("the real {}", shortest(*value));
  if (const std::string* value = text()) return fmt::format("the text '{}'", shortened(*value));
  if (is_list()) return "a list";
  if (is_map()) return "a map";
  return "nothing (null)";
}

std::string Value::flow() const {
  if (const bool* value = boolean()) return *value ? "true" : "false";
  if (const std::int64_t* value = integer()) return fmt::format("{}", *value);
  if (const double* value = real()) return real_text(*value);
  if (const std::string* value = text()) return quoted_if_needed(*value);
  if (const List* values = list()) {
    std::vector<std::string> items;
    for (const Value& value : *values) items.push_back(value.flow());
    return "[" + join(items, ", ") + "]";
  }
  if (const Map* members = map()) {
    std::vector<std::string> items;
    for (const auto& [key, value] : *members) {
      items.push_back(quoted_if_needed(key) + ": " + value.flow());
    }
    return "{" + join(items, ", ") + "}";
  }
  return "null";
}

}  // namespace pslab::config
