// Who sends to whom in a round of replica synchronisation. Every node begins a round with a list of
// its own changes and goes through the same number of steps; at the end all of them have the same
// list, the sum over all nodes, with the same bits. Any number of nodes.
//
//  butterfly  with P the largest power of two in N nodes, the N - P extra nodes hand their list to
//  a
//             partner first and get the sum from it last; the P nodes exchange and add in log2 P
//             steps (NuPS, section 4.2). Adding two numbers commutes exactly, so partners get the
//             same bits, and by induction all nodes do
//  tree       lists are added up along a binomial tree to node 0, and the sum is handed down it:
//             2 (N - 1) messages instead of N log2 N, in twice the steps
//  owner_hub  each node sends every other one its changes of the keys whose home that is; homes
//             send the sums to all: two steps, N (N - 1) messages in each
#pragma once

#include <vector>

#include "api/strategy.hpp"
#include "base/types.hpp"

namespace pslab::manager {

struct SyncStep {
  /// What becomes of the list of a node in `from`.
  enum class Take { kAdd, kReplace };

  std::vector<NodeId> to;    ///< whom the list as it is before the step is sent to
  std::vector<NodeId> from;  ///< whose lists are taken, in this order
  Take take = Take::kAdd;
  /// Whom the list is sent to gets the changes of the keys whose home it is, and nothing else; only
  /// those of this node's keys are kept.
  bool split_by_home = false;
};

/// The steps of node `self`; as many on every node.
std::vector<SyncStep> sync_steps(SyncMethod method, NodeId self, NodeId nodes);

}  // namespace pslab::manager
