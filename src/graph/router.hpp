// Shortest paths between hosts, by Boost.Graph. Used by Platform only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/platform.hpp"
#include "graph/topology.hpp"

namespace pslab::graph {

/// Paths are shortest by latency, then by number of links. Where several are equally short, the
/// pair of hosts decides, by D-mod-k routing (Zahavi, "D-Mod-K routing providing non-blocking
/// traffic for shift permutations on real life fat trees", 2010) on the higher of the two node
/// numbers: traffic to different hosts spreads evenly, and a path and its reverse cross the same
/// links.
///
/// One search per source on first use; kept as lists of predecessors, about 12 bytes per host.
/// Not for concurrent use.
class Router {
 public:
  explicit Router(const Topology& topology);

  bool connected(Vertex from, Vertex to) const;

  /// The links of the path between two different, connected hosts, starting at `high`, with
  /// low < high: calls visit(link, at), `at` being the end of the link that is nearer to `high`.
  template <typename Visit>
  void walk(Vertex low, Vertex high, Visit visit) const {
    const Tree& tree = tree_of(low);
    std::uint32_t digits = high;
    for (Vertex at = high; at != low;) {
      const std::uint32_t first = tree.first[at];
      const std::uint32_t choices = tree.first[at + 1] - first;
      const Step& step = tree.steps[first + digits % choices];
      digits /= choices;
      visit(step.link, at);
      at = step.vertex;
    }
  }

 private:
  struct Step {
    Vertex vertex;
    std::uint32_t link;
  };
  /// By vertex: all last steps of shortest paths from the source, in file order of their links.
  struct Tree {
    std::vector<std::uint32_t> first;  ///< steps of vertex v: [first[v], first[v + 1])
    std::vector<Step> steps;
  };

  const Tree& tree_of(Vertex source) const;
  Tree search(Vertex source) const;

  struct Network;  // the Boost graph
  std::shared_ptr<const Network> network_;
  mutable std::vector<std::unique_ptr<const Tree>> trees_;
};

}  // namespace pslab::graph
