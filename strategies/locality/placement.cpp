#include "strategies/locality/placement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "strategies/locality/access_graph.hpp"
#include "strategies/locality/partitioner.hpp"

namespace pslab::locality {

namespace {

constexpr const char* kGreedy = "greedy";
constexpr const char* kMetis = "metis";
constexpr double kImbalance = 0.05;

std::string report(const AccessGraph& graph, const Owners& owners, const std::string& partitioner) {
  Owners by_hash(owners.size());
  std::vector<std::size_t> keys(graph.num_nodes(), 0);
  for (std::size_t key = 0; key < owners.size(); ++key) {
    by_hash[key] = static_cast<std::uint16_t>(key % graph.num_nodes());
    ++keys[owners[key]];
  }
  const double percent = 100.0 / graph.accesses();
  const auto [fewest, most] = std::ranges::minmax(keys);
  return fmt::format(
      "placement by locality ({}): {:.1f} % of the expected accesses are local (by hash: {:.1f} "
      "%); "
      "{} to {} keys on a node",
      partitioner, percent * graph.local_accesses(owners), percent * graph.local_accesses(by_hash),
      fewest, most);
}

}  // namespace

LocalityPlacement::LocalityPlacement(config::Options& options, bool used)
    : name_(options.choice("partitioner", kGreedy, {kGreedy, kMetis},
                           "placement: locality: who divides the graph of keys and nodes: greedy, "
                           "each key to the node that accesses it most and has room; or METIS, "
                           "which takes much longer on large models")),
      imbalance_(options.real("imbalance", kImbalance, 0.0, 1e6, "",
                              "placement: locality: a node may hold this share of keys more than "
                              "the mean; METIS may exceed it a little")) {
  if (!used) {
    const char* problem = "has an effect with placement: locality only; remove it";
    if (name_ != kGreedy) options.reject("partitioner", problem);
    if (imbalance_ != kImbalance) options.reject("imbalance", problem);
  }
  partitioner_ = name_ == kMetis ? make_metis() : make_greedy();
  if (partitioner_ == nullptr) {
    options.reject("partitioner", "cannot be used: this build of pslab is without METIS",
                   "Install METIS (Debian: libmetis-dev), remove build/ and build anew; or use "
                   "greedy.");
  }
}

LocalityPlacement::~LocalityPlacement() = default;

void LocalityPlacement::place(const Task& task, Plan& plan) const {
  const AccessGraph graph(task);
  if (graph.accesses() <= 0.0) {
    fail_input(
        "strategy.placement: locality needs to know which keys each node accesses, and this "
        "workload does not say (Workload::node_accesses). Use hash or range");
  }
  const double mean = static_cast<double>(task.keys.size()) / task.nodes;
  const auto most_keys = static_cast<Key>(std::ceil(mean * (1.0 + imbalance_)));
  plan.placement = Placement::kExplicit;
  plan.owners = partitioner_->partition(graph, most_keys);
  task.log(report(graph, plan.owners, name_));
}

}  // namespace pslab::locality
