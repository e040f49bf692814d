#include "strategies/options/key_list.hpp"

#include <cerrno>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab {

namespace {

std::optional<Key> number(std::string_view text) {
  Key value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

/// A key of a group, or of all keys when `group` is empty.
Key parse(std::string_view text, const KeySpace& keys, const std::string& place) {
  const std::size_t colon = text.rfind(':');
  const bool grouped = colon != std::string_view::npos;
  const std::optional<Key> index = number(grouped ? text.substr(colon + 1) : text);
  if (!index) {
    fail_input("{}: '{}' is not a key; write its number (below {}), or GROUP:INDEX, such as {}:0",
               place, printable(std::string(text)), keys.size(), keys.groups()[0].name);
  }
  if (!grouped) {
    if (*index < keys.size()) return *index;
    fail_input("{}: there is no key {}; the task has {} keys, numbered from 0", place, *index,
               keys.size());
  }
  const std::string name(text.substr(0, colon));
  std::vector<std::string> names;
  for (std::size_t group = 0; group < keys.groups().size(); ++group) {
    const KeyGroup& candidate = keys.groups()[group];
    names.push_back(candidate.name);
    if (candidate.name != name) continue;
    if (*index < candidate.count) return keys.first(group) + *index;
    fail_input("{}: there is no key {}:{}; the group has {} keys, numbered from 0", place, name,
               *index, candidate.count);
  }
  fail_input("{}: the task has no group of keys '{}'.{} Its groups: {}", place, printable(name),
             did_you_mean(name, names), join(names, ", "));
}

}  // namespace

std::vector<Key> read_key_list(const std::string& path, const KeySpace& keys) {
  errno = 0;
  std::ifstream file(path);
  if (!file) fail_input("strategy.key_list: cannot open {}: {}", path, open_failure(path, errno));
  std::vector<Key> list;
  std::map<Key, int> lines;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    const std::string place = fmt::format("{}:{}", path, number);
    const Key key = parse(text, keys, place);
    const auto [first, fresh] = lines.emplace(key, number);
    if (!fresh) fail_input("{}: key {} is in line {} already", place, text, first->second);
    list.push_back(key);
  }
  if (file.bad()) fail_input("strategy.key_list: cannot read {}", path);
  if (list.empty()) {
    fail_input(
        "strategy.key_list: {} names no key. Name at least one, or leave the list out and set "
        "strategy.replicated_keys: 0",
        path);
  }
  return list;
}

}  // namespace pslab
