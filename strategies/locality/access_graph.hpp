// Which nodes' workers access which keys, and how often: a bipartite graph of keys and nodes.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <vector>

#include "api/strategy.hpp"
#include "base/types.hpp"
#include "strategies/locality/partitioner.hpp"

namespace pslab::locality {

class AccessGraph {
 public:
  struct Edge {
    float accesses = 0.0F;
  };
  /// Vertices are the keys, then the nodes. Each edge is there in both directions.
  using Graph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Edge,
                                         boost::no_property, std::uint32_t, std::uint64_t>;

  /// Asks the task for the accesses of all nodes.
  explicit AccessGraph(const Task& task);

  const Graph& graph() const { return graph_; }
  Key num_keys() const { return num_keys_; }
  NodeId num_nodes() const { return num_nodes_; }
  std::uint32_t vertex_of(NodeId node) const {
    return static_cast<std::uint32_t>(num_keys_) + node;
  }
  NodeId node_of(std::uint32_t vertex) const {
    return vertex - static_cast<std::uint32_t>(num_keys_);
  }
  /// Over all keys and nodes.
  double accesses() const { return accesses_; }
  /// Of these, those of a key by the node that `owners` places it on.
  double local_accesses(const Owners& owners) const;

 private:
  Key num_keys_;
  NodeId num_nodes_;
  double accesses_ = 0.0;
  Graph graph_;
};

}  // namespace pslab::locality
