// The graph of a platform file for a number of nodes: groups are expanded, links have both ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "graph/platform.hpp"
#include "graph/platform_file.hpp"

namespace pslab::graph {

using Vertex = std::uint32_t;  ///< hosts first (in the order of NodeId), then switches

struct Ends {
  Vertex from = 0;
  Vertex to = 0;
};

struct Topology {
  std::vector<std::string> names;  ///< by vertex
  std::vector<double> speed;       ///< by host
  std::vector<Link> links;         ///< in file order; named FROM--TO
  std::vector<Ends> ends;          ///< by link

  std::size_t hosts() const { return speed.size(); }
};

/// Throws InputError if the file has too few hosts for `nodes`, a link end that does not exist, two
/// things of one name, or two links between the same ends. Does not check that it is connected.
Topology build_topology(const PlatformFile& file, NodeId nodes);

}  // namespace pslab::graph
