// How many random runs a test makes.
#pragma once

#include <cstdint>

namespace pslab::test {

/// `all`, or a sixth under the address sanitizer, where each takes several times as long.
constexpr std::uint64_t seeds(std::uint64_t all) {
#ifdef __SANITIZE_ADDRESS__
  return (all + 5) / 6;
#else
  return all;
#endif
}

}  // namespace pslab::test
