#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <numeric>

#include "strategies/locality/access_graph.hpp"
#include "strategies/locality/partitioner.hpp"

namespace pslab::locality {

namespace {

class Greedy final : public Partitioner {
 public:
  Owners partition(const AccessGraph& graph, Key most_keys) const override;
};

/// How many accesses more the key's first choice has than its second.
float advantage(const AccessGraph& accesses, std::uint32_t key) {
  const AccessGraph::Graph& graph = accesses.graph();
  float first = 0.0F;
  float second = 0.0F;
  for (const auto edge : boost::make_iterator_range(out_edges(key, graph))) {
    const float here = graph[edge].accesses;
    second = std::max(second, std::min(first, here));
    first = std::max(first, here);
  }
  return first - second;
}

Owners Greedy::partition(const AccessGraph& accesses, Key most_keys) const {
  const AccessGraph::Graph& graph = accesses.graph();
  const Key num_keys = accesses.num_keys();
  const NodeId nodes = accesses.num_nodes();
  std::vector<float> advantages(num_keys);
  for (std::uint32_t key = 0; key < num_keys; ++key) advantages[key] = advantage(accesses, key);
  std::vector<std::uint32_t> order(num_keys);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return advantages[a] > advantages[b]; });

  Owners owners(num_keys);
  std::vector<Key> held(nodes, 0);
  const Key mean = (num_keys + nodes - 1) / nodes;
  NodeId open = 0;  // all nodes before it hold at least the mean
  for (const std::uint32_t key : order) {
    NodeId best = nodes;
    float most = 0.0F;
    for (const auto edge : boost::make_iterator_range(out_edges(key, graph))) {
      const NodeId node = accesses.node_of(target(edge, graph));
      const float here = graph[edge].accesses;
      if (held[node] >= most_keys) continue;
      if (best == nodes || here > most || (here == most && held[node] < held[best])) {
        best = node;
        most = here;
      }
    }
    if (best == nodes) {  // nobody accesses it who has room
      while (held[open] >= mean) ++open;
      best = open;
    }
    owners[key] = static_cast<std::uint16_t>(best);
    ++held[best];
  }
  return owners;
}

}  // namespace

std::unique_ptr<Partitioner> make_greedy() {
  return std::make_unique<Greedy>();
}

}  // namespace pslab::locality
