// Divides the keys over the nodes so that many accesses become local while no node holds many more
// keys than another.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.hpp"

namespace pslab::locality {

class AccessGraph;

/// The node of each key.
using Owners = std::vector<std::uint16_t>;

class Partitioner {
 public:
  virtual ~Partitioner() = default;
  /// A node for every key; at most `most_keys` keys on each, or few more where the algorithm says
  /// so. The same answer for the same graph, on every machine.
  virtual Owners partition(const AccessGraph& graph, Key most_keys) const = 0;
};

/// Keys that lose most when they are not on the node that accesses them most choose first.
std::unique_ptr<Partitioner> make_greedy();
/// METIS (Karypis and Kumar, SIAM J. Sci. Comput. 1998); null in a build without it. Its balance is
/// a target.
std::unique_ptr<Partitioner> make_metis();

}  // namespace pslab::locality
