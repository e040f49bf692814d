#include "config/slug.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace pslab::config {
namespace {

constexpr std::size_t kHashLength = 9;  // "-" and 8 hex digits

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string content(const Value& value);

std::string member(const std::string& key, const Value& value) {
  return key + "-" + content(value);
}

std::string content(const Value& value) {
  std::vector<std::string> parts;
  if (const List* items = value.list()) {
    for (const Value& item : *items) parts.push_back(content(item));
    return join(parts, "+");
  }
  if (const Map* members = value.map()) {
    if (const Value* name = value.find("name")) parts.push_back(content(*name));
    for (const auto& [key, nested] : *members) {
      if (key != "name") parts.push_back(member(key, nested));
    }
    return join(parts, "-");
  }
  if (const std::string* text = value.text()) return *text;
  if (const double* real = value.real()) return shortest(*real);
  return value.flow();
}

// A slug is used as part of a folder's name, so it must not begin like "..", or like an option.
std::string cleaned(const std::string& slug) {
  std::string result;
  for (const char c : slug) {
    const bool allowed = is_alphanumeric(c) || c == '.' || c == '+' || c == '-';
    if (result.empty() && !is_alphanumeric(c)) continue;
    result += allowed ? c : '-';
  }
  return result.empty() ? "empty" : result;
}

std::string slug(const std::string& path, const Value& value) {
  const std::string last = path.substr(path.rfind('.') + 1);
  const bool speaks_for_itself =
      path == "strategy" || last == "name" || value.find("name") != nullptr;
  return cleaned(speaks_for_itself ? content(value) : member(last, value));
}

}  // namespace

std::vector<std::string> slugs(const std::string& path, const List& values) {
  std::vector<std::string> result;
  std::unordered_map<std::string, std::unordered_set<std::string>> values_of;
  for (const Value& value : values) {
    result.push_back(slug(path, value));
    values_of[result.back()].insert(value.flow());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values_of[result[i]].size() == 1 && result[i].size() <= kMaxSlug) continue;
    const auto hash = static_cast<std::uint32_t>(mix64(fnv1a(values[i].flow())));
    result[i] = fmt::format("{}-{:08x}", result[i].substr(0, kMaxSlug - kHashLength), hash);
  }
  return result;
}

}  // namespace pslab::config
