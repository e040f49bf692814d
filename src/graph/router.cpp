#include "graph/router.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cmath>
#include <compare>
#include <limits>

namespace pslab::graph {
namespace {

/// Latency in picoseconds, since sums of doubles depend on their order and would make equal paths
/// unequal. At least one hop per link, so that no cycle is free.
struct Distance {
  std::int64_t latency = 0;
  std::int64_t hops = 0;

  friend auto operator<=>(const Distance&, const Distance&) = default;
  friend Distance operator+(const Distance& a, const Distance& b) {
    return {.latency = a.latency + b.latency, .hops = a.hops + b.hops};
  }
};

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;  // kFar + kFar is valid
constexpr Distance kUnreached{.latency = kFar, .hops = kFar};

struct Edge {
  Distance length;
};

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Edge>;

}  // namespace

struct Router::Network {
  Graph graph;
  std::vector<Ends> ends;
  std::vector<Distance> length;  // by link
};

Router::Router(const Topology& topology) : trees_(topology.hosts()) {
  auto network = std::make_shared<Network>();
  network->graph = Graph(topology.names.size());
  network->ends = topology.ends;
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const Distance length{.latency = std::llround(topology.links[i].latency * 1e12), .hops = 1};
    network->length.push_back(length);
    boost::add_edge(topology.ends[i].from, topology.ends[i].to, Edge{length}, network->graph);
  }
  network_ = std::move(network);
}

bool Router::connected(Vertex from, Vertex to) const {
  const Tree& tree = tree_of(from);
  return from == to || tree.first[to] != tree.first[to + 1];
}

const Router::Tree& Router::tree_of(Vertex source) const {
  std::unique_ptr<const Tree>& tree = trees_[source];
  if (tree == nullptr) tree = std::make_unique<const Tree>(search(source));
  return *tree;
}

Router::Tree Router::search(Vertex source) const {
  const Graph& graph = network_->graph;
  const std::size_t vertices = boost::num_vertices(graph);
  std::vector<Distance> distance(vertices);
  boost::dijkstra_shortest_paths(graph, source,
                                 boost::weight_map(boost::get(&Edge::length, graph))
                                     .distance_map(boost::make_iterator_property_map(
                                         distance.begin(), boost::get(boost::vertex_index, graph)))
                                     .distance_compare(std::less<Distance>())
                                     .distance_combine(std::plus<Distance>())
                                     .distance_inf(kUnreached)
                                     .distance_zero(Distance{}));

  // Boost keeps one predecessor; all are needed for spreading over equal paths.
  const auto is_last_step = [&](Vertex from, Vertex to, std::size_t link) {
    return distance[from] < kUnreached && distance[from] + network_->length[link] == distance[to];
  };
  Tree tree;
  tree.first.assign(vertices + 1, 0);
  const auto for_each_step = [&](const auto& use) {
    for (std::size_t link = 0; link < network_->ends.size(); ++link) {
      const auto [a, b] = network_->ends[link];
      if (is_last_step(a, b, link)) use(a, b, static_cast<std::uint32_t>(link));
      if (is_last_step(b, a, link)) use(b, a, static_cast<std::uint32_t>(link));
    }
  };
  for_each_step([&](Vertex, Vertex to, std::uint32_t) { ++tree.first[to + 1]; });
  for (std::size_t v = 0; v < vertices; ++v) tree.first[v + 1] += tree.first[v];
  tree.steps.resize(tree.first.back());
  std::vector<std::uint32_t> next(tree.first.begin(), tree.first.end() - 1);
  for_each_step([&](Vertex from, Vertex to, std::uint32_t link) {
    tree.steps[next[to]++] = {.vertex = from, .link = link};
  });
  return tree;
}

}  // namespace pslab::graph
