#include "data/id_map.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/types.hpp"

namespace pslab::data {
namespace {

constexpr std::int64_t kNoNumber = -1;
constexpr std::int64_t kSmallNumbers = std::int64_t{1} << 24;
constexpr std::size_t kMostDigits = 18;  // always fits 63 bits

std::optional<std::int64_t> canonical_number(std::string_view id) {
  if (id.empty() || id.size() > kMostDigits || (id[0] == '0' && id.size() > 1)) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : id) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

std::uint32_t IdMap::intern(std::string_view id) {
  if (const auto number = canonical_number(id)) return intern_number(*number);
  const auto found = texts_.find(id);
  if (found != texts_.end()) return found->second;
  const std::uint32_t index = size();
  const auto added = texts_.emplace(std::string(id), index).first;
  numbers_.push_back(kNoNumber);
  spelled_.resize(index, nullptr);
  spelled_.push_back(&added->first);
  return index;
}

std::uint32_t IdMap::intern_number(std::int64_t number) {
  const std::uint32_t next = size();
  if (number < kSmallNumbers) {
    const auto slot = static_cast<std::size_t>(number);
    if (slot >= small_numbers_.size()) {
      const std::size_t twice = small_numbers_.size() * 2;
      small_numbers_.resize(std::max(slot + 1, twice), 0);
    }
    if (small_numbers_[slot] != 0) return small_numbers_[slot] - 1;
    small_numbers_[slot] = next + 1;
  } else {
    const auto [entry, added] = large_numbers_.try_emplace(number, next);
    if (!added) return entry->second;
  }
  if (next >= kMaxKeys) fail_input("more than {} different ids; pslab holds fewer keys", kMaxKeys);
  numbers_.push_back(number);
  return next;
}

std::string IdMap::name(std::uint32_t provisional) const {
  const std::int64_t number = numbers_[provisional];
  return number == kNoNumber ? *spelled_[provisional] : std::to_string(number);
}

IdMap::Final IdMap::finish() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  if (texts_.empty()) {
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return numbers_[a] < numbers_[b]; });
  }
  Final result;
  result.index.resize(size());
  for (std::uint32_t i = 0; i < size(); ++i) {
    result.index[order[i]] = i;
    if (numbers_[order[i]] != std::int64_t{i}) ++result.remapped;
  }
  if (result.remapped > 0) {
    result.names.reserve(size());
    for (const std::uint32_t provisional : order) result.names.push_back(name(provisional));
  }
  return result;
}

}  // namespace pslab::data
