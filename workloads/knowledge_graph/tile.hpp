// Vectors side by side, as Comparison::score_tile takes them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/dot.hpp"

namespace pslab::kge {

/// Component k of vector i, at most kTile of them, goes to tile[k * kTile + i]; what is left is 0.
/// `vectors`: each `length` floats behind the one before, of which the first n count.
inline void fill_tile(const float* vectors, std::size_t count, std::size_t length, std::size_t n,
                      std::vector<float>& tile) {
  tile.assign(kTile * n, 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < n; ++k) tile[k * kTile + i] = vectors[i * length + k];
  }
}

}  // namespace pslab::kge
