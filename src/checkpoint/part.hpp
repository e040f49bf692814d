// The file of one node's part of a checkpoint: the keys that it owned, and their values.
// README.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "api/key_space.hpp"

namespace pslab::checkpoint {

/// A key and where its value lies.
struct Owned {
  Key key;
  const float* value;
};

/// Writes the file, to the disk. `owned`: in any order, each key once. Throws RunError with the
/// system's reason.
void write_part(const std::filesystem::path& file, const KeySpace& keys, std::vector<Owned> owned);

/// A part in memory for as long as it lives.
class Part {
 public:
  /// Throws InputError when the file cannot be read or is no part for these keys.
  Part(const std::filesystem::path& file, const KeySpace& keys);
  ~Part();
  Part(Part&& other) noexcept;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  std::span<const std::uint32_t> keys() const { return keys_; }  ///< ascending
  /// Of the key in place `rank` of keys().
  const float* value(std::size_t rank) const;

 private:
  std::span<const char> bytes_;
  std::span<const std::uint32_t> keys_;
  const float* floats_ = nullptr;
  /// By key group: its value length, the rank of its first key here, and where that one's value is.
  struct Group {
    std::size_t length;
    std::size_t rank;
    std::size_t offset;
  };
  std::vector<Group> groups_;
};

}  // namespace pslab::checkpoint
