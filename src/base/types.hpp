// The few integer types that every layer shares. See the table of words in README.md.
#pragma once

#include <cstdint>

namespace pslab {

using Key = std::uint64_t;       ///< a parameter's id, dense: 0 .. number of keys - 1
using NodeId = std::uint32_t;    ///< 0 .. nodes - 1
using WorkerId = std::uint32_t;  ///< over the whole cluster: node * workers_per_node + local index

/// Keys travel and are indexed as 32 bit integers, so a key space holds fewer than this many keys.
inline constexpr Key kMaxKeys = (Key{1} << 30) - 1;

}  // namespace pslab
