#include "workloads/knowledge_graph/shares.hpp"

#include <algorithm>
#include <numeric>

namespace pslab::kge {
namespace {

using data::Triple;

std::vector<NodeId> node_of_relation(const std::vector<Triple>& triples, std::uint32_t relations,
                                     NodeId nodes) {
  std::vector<std::size_t> count(relations, 0);
  for (const Triple& triple : triples) ++count[triple.relation];
  std::vector<std::uint32_t> order(relations);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
  std::vector<std::size_t> load(nodes, 0);
  std::vector<NodeId> node(relations);
  for (const std::uint32_t relation : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += count[relation];
    node[relation] = static_cast<NodeId>(least - load.begin());
  }
  return node;
}

}  // namespace

std::vector<std::size_t> equal_slices(std::size_t triples, WorkerId workers) {
  std::vector<std::size_t> slices;
  for (WorkerId worker = 0; worker <= workers; ++worker) {
    slices.push_back(triples * worker / workers);
  }
  return slices;
}

std::vector<std::size_t> slices_by_relation(std::vector<Triple>& triples, std::uint32_t relations,
                                            NodeId nodes, std::uint32_t workers_per_node) {
  const std::vector<NodeId> node = node_of_relation(triples, relations, nodes);
  std::stable_sort(triples.begin(), triples.end(), [&](const Triple& a, const Triple& b) {
    return node[a.relation] < node[b.relation];
  });
  std::vector<std::size_t> slices = {0};
  std::size_t begin = 0;
  for (NodeId n = 0; n < nodes; ++n) {
    const auto end = static_cast<std::size_t>(
        std::find_if(triples.begin() + static_cast<std::ptrdiff_t>(begin), triples.end(),
                     [&](const Triple& triple) { return node[triple.relation] > n; }) -
        triples.begin());
    const std::vector<std::size_t> own = equal_slices(end - begin, workers_per_node);
    for (std::size_t i = 1; i < own.size(); ++i) slices.push_back(begin + own[i]);
    begin = end;
  }
  return slices;
}

}  // namespace pslab::kge
