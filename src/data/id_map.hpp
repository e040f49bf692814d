// From the ids of a user's file (any bytes) to the dense indices that training uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pslab::data {

/// Collects ids while a file is read, then gives every one its final index:
///  - all ids are decimal numbers without leading zeros: indices follow the order of the numbers,
///  so
///    ids that are 0, 1, 2, ... already stay what they are;
///  - otherwise: indices follow the first appearance in the file.
/// Ids are compared byte by byte: "7", "07" and "+7" are three ids.
class IdMap {
 public:
  IdMap() = default;

  /// The provisional index of `id`, a new one if it was not seen before.
  std::uint32_t intern(std::string_view id);
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }

  struct Final {
    std::vector<std::uint32_t> index;  ///< of each provisional index
    std::vector<std::string> names;    ///< id of each final index; empty if every id is its index
    std::uint64_t remapped = 0;        ///< ids that are not their own index
  };
  Final finish() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::uint32_t intern_number(std::int64_t number);
  std::string name(std::uint32_t provisional) const;

  std::vector<std::uint32_t> small_numbers_;  ///< provisional index + 1 of each small number
  std::unordered_map<std::int64_t, std::uint32_t> large_numbers_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> texts_;
  std::vector<std::int64_t> numbers_;        ///< of each provisional index; kNoNumber for texts
  std::vector<const std::string*> spelled_;  ///< of each provisional index; null for numbers
};

}  // namespace pslab::data
