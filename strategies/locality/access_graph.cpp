#include "strategies/locality/access_graph.hpp"

#include <boost/range/iterator_range.hpp>
#include <utility>

namespace pslab::locality {

AccessGraph::AccessGraph(const Task& task) : num_keys_(task.keys.size()), num_nodes_(task.nodes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<Edge> edges;
  for (NodeId node = 0; node < num_nodes_; ++node) {
    for (const KeyCount& count : task.node_accesses(node)) {
      ends.emplace_back(count.key, vertex_of(node));
      ends.emplace_back(vertex_of(node), count.key);
      edges.insert(edges.end(), 2, {count.accesses});
      accesses_ += double{count.accesses};
    }
  }
  graph_ = Graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), edges.begin(),
                 static_cast<std::uint32_t>(num_keys_) + num_nodes_);
}

double AccessGraph::local_accesses(const Owners& owners) const {
  double local = 0.0;
  for (std::uint32_t key = 0; key < num_keys_; ++key) {
    for (const auto edge : boost::make_iterator_range(out_edges(key, graph_))) {
      if (node_of(target(edge, graph_)) == owners[key]) local += double{graph_[edge].accesses};
    }
  }
  return local;
}

}  // namespace pslab::locality
