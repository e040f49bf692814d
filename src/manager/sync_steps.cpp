#include "manager/sync_steps.hpp"

#include <bit>

namespace pslab::manager {

namespace {

using Take = SyncStep::Take;

std::vector<SyncStep> butterfly(NodeId self, NodeId nodes) {
  const NodeId core = std::bit_floor(nodes);
  const NodeId extras = nodes - core;
  const bool extra = self >= core;
  std::vector<SyncStep> steps(1);
  if (extra) steps.back().to = {self - core};
  if (self < extras) steps.back().from = {self + core};
  for (NodeId distance = 1; distance < core; distance *= 2) {
    SyncStep& step = steps.emplace_back();
    if (!extra) step.to = step.from = {self ^ distance};
  }
  SyncStep& last = steps.emplace_back();
  last.take = Take::kReplace;  // the partner's sum contains this node's changes
  if (extra) last.from = {self - core};
  if (self < extras) last.to = {self + core};
  return steps;
}

std::vector<SyncStep> tree(NodeId self, NodeId nodes) {
  std::vector<SyncStep> up;
  std::vector<SyncStep> down;  // last step first
  for (NodeId distance = 1; distance < nodes; distance *= 2) {
    SyncStep& gather = up.emplace_back();
    SyncStep& scatter = down.emplace_back();
    scatter.take = Take::kReplace;
    if (self % distance != 0) continue;  // it has handed its list up
    if (self % (2 * distance) != 0) {
      gather.to = scatter.from = {self - distance};
    } else if (self + distance < nodes) {
      gather.from = scatter.to = {self + distance};
    }
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

std::vector<SyncStep> owner_hub(NodeId self, NodeId nodes) {
  std::vector<NodeId> others;
  for (NodeId node = 0; node < nodes; ++node) {
    if (node != self) others.push_back(node);
  }
  const SyncStep gather{others, others, Take::kAdd, true};
  const SyncStep scatter{others, others, Take::kAdd, false};  // homes' keys are disjoint
  return {gather, scatter};
}

}  // namespace

std::vector<SyncStep> sync_steps(SyncMethod method, NodeId self, NodeId nodes) {
  switch (method) {
    case SyncMethod::kButterfly:
      return butterfly(self, nodes);
    case SyncMethod::kTree:
      return tree(self, nodes);
    case SyncMethod::kOwnerHub:
      return owner_hub(self, nodes);
  }
  return {};
}

}  // namespace pslab::manager
