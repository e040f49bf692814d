// What the workers of an epoch accessed, from their traces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace pslab::oracle {

/// A key in a call. Seconds since the run began.
struct Access {
  double executed = 0.0;    ///< when the call was
  double waits_from = 0.0;  ///< the earliest moment that its worker waits for the value
  float slack = 0.0F;       ///< from the call to that moment, seconds; 0 where the call waits
  std::uint32_t key = 0;
  NodeId node = 0;
  std::uint32_t call_keys = 1;      ///< how many keys the call has
  std::uint32_t distinct_keys = 1;  ///< how many different ones
  bool write = false;
};

/// Between two barriers that a worker waits at, the beginning and the end of training included.
struct Section {
  double flops = 0.0;
  std::uint64_t computations = 0;
  std::vector<Access> accesses;
  std::vector<Access> samples;  ///< whose keys another scheme would have chosen otherwise
};

/// `ops`: of one epoch. Throws InputError when they are damaged; `place` is for the message.
std::vector<Section> read_sections(std::string_view ops, Key keys, NodeId node,
                                   const std::string& place);

}  // namespace pslab::oracle
