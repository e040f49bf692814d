// What an asynchronous call of a worker gives.
#pragma once

#include <cstdint>

namespace pslab {

/// An asynchronous operation. Must be waited for exactly once; a default one is complete.
struct Pending {
  std::uint32_t op = ~std::uint32_t{0};
  bool done() const { return op == ~std::uint32_t{0}; }
};

}  // namespace pslab
