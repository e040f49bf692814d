#include <metis.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/error.hpp"
#include "strategies/locality/access_graph.hpp"
#include "strategies/locality/partitioner.hpp"

namespace pslab::locality {

namespace {

/// Sums of edge weights must fit METIS's integers.
constexpr double kMostWeight = 1e9;

/// The graph as METIS takes it. Each vertex has two weights: keys (1, 0), nodes (0, 1). Balancing
/// the second gives every part one node, as if these were fixed.
struct MetisGraph {
  explicit MetisGraph(const AccessGraph& accesses) {
    const AccessGraph::Graph& graph = accesses.graph();
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<idx_t>::max());
    if (num_edges(graph) >= kMost) {
      fail_input(
          "strategy.partitioner: METIS takes at most {} pairs of a key and a node that accesses "
          "it; "
          "this task has {}. Use greedy",
          kMost / 2, num_edges(graph) / 2);
    }
    const double scale = std::min(1.0, kMostWeight / std::max(accesses.accesses(), 1.0));
    begin.push_back(0);
    for (const std::uint32_t vertex : boost::make_iterator_range(vertices(graph))) {
      for (const auto edge : boost::make_iterator_range(out_edges(vertex, graph))) {
        neighbours.push_back(static_cast<idx_t>(target(edge, graph)));
        const double weight = std::round(scale * double{graph[edge].accesses});
        edge_weights.push_back(std::max<idx_t>(1, static_cast<idx_t>(weight)));
      }
      begin.push_back(static_cast<idx_t>(neighbours.size()));
      const bool is_key = vertex < accesses.num_keys();
      weights.insert(weights.end(), {is_key ? 1 : 0, is_key ? 0 : 1});
    }
  }

  std::vector<idx_t> begin;
  std::vector<idx_t> neighbours;
  std::vector<idx_t> edge_weights;
  std::vector<idx_t> weights;
};

/// METIS numbers its parts as it likes: each goes to the node that accesses its keys most, the
/// largest choice first.
std::vector<NodeId> nodes_of_parts(const AccessGraph& accesses, const std::vector<idx_t>& part) {
  const AccessGraph::Graph& graph = accesses.graph();
  const NodeId nodes = accesses.num_nodes();
  std::vector<double> weight(std::size_t{nodes} * nodes, 0.0);
  for (std::uint32_t key = 0; key < accesses.num_keys(); ++key) {
    for (const auto edge : boost::make_iterator_range(out_edges(key, graph))) {
      const NodeId node = accesses.node_of(target(edge, graph));
      weight[static_cast<std::size_t>(part[key]) * nodes + node] += double{graph[edge].accesses};
    }
  }
  std::vector<std::tuple<double, NodeId, NodeId>> choices;
  for (NodeId p = 0; p < nodes; ++p) {
    for (NodeId node = 0; node < nodes; ++node) {
      choices.emplace_back(-weight[std::size_t{p} * nodes + node], p, node);
    }
  }
  std::sort(choices.begin(), choices.end());
  std::vector<NodeId> node_of(nodes, nodes);
  std::vector<bool> taken(nodes, false);
  for (const auto& [minus_weight, p, node] : choices) {
    if (node_of[p] != nodes || taken[node]) continue;
    node_of[p] = node;
    taken[node] = true;
  }
  return node_of;
}

class Metis final : public Partitioner {
 public:
  Owners partition(const AccessGraph& accesses, Key most_keys) const override {
    const auto num_keys = static_cast<std::size_t>(accesses.num_keys());
    Owners owners(num_keys, 0);
    if (accesses.num_nodes() == 1) return owners;
    MetisGraph graph(accesses);
    auto num_vertices = static_cast<idx_t>(num_keys + accesses.num_nodes());
    auto parts = static_cast<idx_t>(accesses.num_nodes());
    idx_t weights_per_vertex = 2;
    const double mean = static_cast<double>(num_keys) / accesses.num_nodes();
    real_t imbalance[2] = {static_cast<real_t>(static_cast<double>(most_keys) / mean), 1.001F};
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    idx_t cut = 0;
    std::vector<idx_t> part(static_cast<std::size_t>(num_vertices), 0);
    const int status = METIS_PartGraphKway(&num_vertices, &weights_per_vertex, graph.begin.data(),
                                           graph.neighbours.data(), graph.weights.data(), nullptr,
                                           graph.edge_weights.data(), &parts, nullptr, imbalance,
                                           options, &cut, part.data());
    if (status != METIS_OK) {
      fail_input("strategy.partitioner: METIS failed (status {}) on {} keys. Use greedy", status,
                 num_keys);
    }
    const std::vector<NodeId> node_of = nodes_of_parts(accesses, part);
    for (std::size_t key = 0; key < num_keys; ++key) {
      owners[key] = static_cast<std::uint16_t>(node_of[static_cast<std::size_t>(part[key])]);
    }
    return owners;
  }
};

}  // namespace

std::unique_ptr<Partitioner> make_metis() {
  return std::make_unique<Metis>();
}

}  // namespace pslab::locality
