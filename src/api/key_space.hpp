// The keys of a task: groups of consecutive keys, each with a name and a value length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace pslab {

struct KeyGroup {
  std::string name;      ///< e.g. "rows", "columns", "entities"
  Key count = 0;         ///< number of keys
  std::uint32_t length;  ///< floats per value, at least 1

  bool operator==(const KeyGroup&) const = default;
};

/// How often a key is accessed.
struct KeyCount {
  std::uint32_t key = 0;
  float accesses = 0.0F;
};

class KeySpace {
 public:
  /// `represents`: messages and costs of a simulation are those of values with this many times as
  /// many floats as there are. Throws InputError when there is no key, a length is 0, or there are
  /// more than kMaxKeys keys.
  explicit KeySpace(std::vector<KeyGroup> groups, std::uint32_t represents = 1);

  Key size() const { return first_.back(); }
  const std::vector<KeyGroup>& groups() const { return groups_; }
  /// The first key of a group; size() for the group after the last.
  Key first(std::size_t group) const { return first_[group]; }
  const std::vector<Key>& firsts() const { return first_; }

  /// Floats per value of this key.
  std::uint32_t length(Key key) const {
    return uniform_length_ != 0 ? uniform_length_ : groups_[group_of(key)].length;
  }
  std::size_t group_of(Key key) const;
  /// The length that all values have, or 0 when lengths differ.
  std::uint32_t uniform_length() const { return uniform_length_; }
  /// How many floats of a value each one stands for.
  std::uint32_t represents() const { return represents_; }
  /// The groups with the lengths of whole values.
  std::vector<KeyGroup> whole_groups() const;
  /// Floats of all values together.
  std::uint64_t total_floats() const;

 private:
  std::vector<KeyGroup> groups_;
  std::vector<Key> first_;  ///< first key of each group, then the number of keys
  std::uint32_t uniform_length_ = 0;
  std::uint32_t represents_;
};

}  // namespace pslab
