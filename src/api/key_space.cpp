#include "api/key_space.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace pslab {

KeySpace::KeySpace(std::vector<KeyGroup> groups, std::uint32_t represents)
    : groups_(std::move(groups)), represents_(represents) {
  Key next = 0;
  bool uniform = true;
  for (const KeyGroup& group : groups_) {
    if (group.length == 0) fail_input("key group '{}': values need at least one float", group.name);
    if (group.count > kMaxKeys - next) {
      fail_input(
          "the task has more keys than the {} that are supported: key group '{}' adds {} to {}",
          kMaxKeys, group.name, group.count, next);
    }
    first_.push_back(next);
    next += group.count;
    uniform = uniform && group.length == groups_.front().length;
  }
  first_.push_back(next);
  if (next == 0) fail_input("the task has no keys: nothing to train");
  if (uniform) uniform_length_ = groups_.front().length;
}

std::size_t KeySpace::group_of(Key key) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), key);
  return static_cast<std::size_t>(after - first_.begin()) - 1;
}

std::vector<KeyGroup> KeySpace::whole_groups() const {
  std::vector<KeyGroup> groups = groups_;
  for (KeyGroup& group : groups) group.length *= represents_;
  return groups;
}

std::uint64_t KeySpace::total_floats() const {
  std::uint64_t total = 0;
  for (const KeyGroup& group : groups_) total += group.count * group.length;
  return total;
}

}  // namespace pslab
