#include "checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "checks/key_check.hpp"

namespace pslab::checks {

namespace {

/// Rule kExactlyOnce for the copy that `which` names.
std::optional<Violation> check_complete(const EpochHistory& history, Key key,
                                        std::span<const float> seen, const std::string& which) {
  const auto workers = static_cast<WorkerId>(history.workers.size());
  float total = 0.0F;
  for (WorkerId worker = 0; worker < workers; ++worker) {
    const auto pushed = static_cast<float>(history.workers[worker]->pushed[key]);
    total += pushed;
    if (seen[worker] == pushed) continue;
    Violation violation{.rule = Rule::kExactlyOnce, .key = key};
    violation.what =
        fmt::format("after the epoch the {} contains {} pushes of worker {}, who has made {}: {}",
                    which, seen[worker], worker, pushed,
                    seen[worker] < pushed ? "an update was lost" : "an update was applied twice");
    violation.workers = {worker};
    return violation;
  }
  if (seen[workers] == total) return std::nullopt;
  Violation violation{.rule = Rule::kExactlyOnce, .key = key};
  violation.what = fmt::format(
      "after the epoch the {} contains {} pushes by its second counter; all workers made {}", which,
      seen[workers], total);
  return violation;
}

/// Rule kReplicasAgree for the copies on two nodes.
std::optional<Violation> check_agreement(Key key, std::span<const float> seen, NodeId node,
                                         std::span<const float> first, NodeId first_node) {
  const auto [here, there] = std::ranges::mismatch(seen, first);
  if (here == seen.end()) return std::nullopt;
  Violation violation{.rule = Rule::kReplicasAgree, .key = key};
  violation.what = fmt::format(
      "after the epoch counter {} is {} in the replica on node {} and {} in that on node {}",
      here - seen.begin(), *here, node, *there, first_node);
  return violation;
}

}  // namespace

Checker::Checker(Key num_keys, WorkerId workers, const Guarantees& guarantees, const Plan& plan)
    : num_keys_(num_keys),
      workers_(workers),
      guarantees_(guarantees),
      clocks_(plan.clocks),
      replicated_(num_keys, false),
      settled_(num_keys * workers, 0) {
  for (const Key key : plan.replicated) replicated_[key] = true;
}

std::optional<Violation> Checker::check(const EpochHistory& history) {
  refuse_what_floats_cannot_count(history);
  std::optional<Violation> violation = check_copies(history);
  if (!violation) violation = check_pulls(history);
  for (WorkerId worker = 0; worker < workers_; ++worker) {
    const std::vector<std::uint32_t>& pushed = history.workers[worker]->pushed;
    for (Key key = 0; key < num_keys_; ++key) settled_[key * workers_ + worker] = pushed[key];
  }
  return violation;
}

void Checker::refuse_what_floats_cannot_count(const EpochHistory& history) const {
  for (Key key = 0; key < num_keys_; ++key) {
    std::uint64_t total = 0;
    for (const WorkerHistory* worker : history.workers) total += worker->pushed[key];
    if (total <= kMostPushes) continue;
    fail_run(
        "checks.history: key {} has been pushed to {} times; the checker counts exactly up to {}. "
        "Train for fewer epochs or on less data while it is on",
        key, total, kMostPushes);
  }
}

std::optional<Violation> Checker::check_copies(const EpochHistory& history) const {
  const auto num_nodes = static_cast<NodeId>(history.nodes.size());
  std::vector<NodeId> owners(num_keys_, 0);
  std::vector<NodeId> replicas(num_keys_, 0);
  std::vector<std::pair<NodeId, const float*>> first_copy(num_keys_);
  std::optional<Violation> first;
  const auto found = [&](Violation violation) {
    if (!first) {
      first = std::move(violation);
    } else if (first->rule == violation.rule && first->key != violation.key) {
      ++first->keys;
    }
  };
  for (NodeId node = 0; node < num_nodes; ++node) {
    const NodeCopies& copies = history.nodes[node];
    for (std::size_t i = 0; i < copies.keys.size(); ++i) {
      ++(copies.replica[i] ? replicas : owners)[copies.keys[i]];
      const auto seen = std::span(copies.seen).subspan(i * (workers_ + 1), workers_ + 1);
      const Key key = copies.keys[i];
      std::optional<Violation> violation;
      if (keeps_sums(key)) {
        violation = check_complete(
            history, key, seen,
            fmt::format("{} on node {}", copies.replica[i] ? "replica" : "main copy", node));
      } else if (first_copy[key].second == nullptr) {
        first_copy[key] = {node, seen.data()};
      } else {
        const auto [first_node, counters] = first_copy[key];
        violation = check_agreement(key, seen, node, {counters, seen.size()}, first_node);
      }
      if (violation) found(std::move(*violation));
    }
  }
  if (first) return first;
  for (Key key = 0; key < num_keys_; ++key) {
    const bool right = replicated_[key] ? owners[key] == 0 && replicas[key] == num_nodes
                                        : owners[key] == 1 && replicas[key] == 0;
    if (right) continue;
    Violation violation;
    violation.rule = Rule::kOneOwner;
    violation.key = key;
    violation.what = fmt::format(
        "after the epoch it has {} owners and {} replicas on {} nodes; it should have {}",
        owners[key], replicas[key], num_nodes,
        replicated_[key] ? "a replica on each of them" : "one owner and no replica");
    found(std::move(violation));
  }
  return first;
}

std::optional<Violation> Checker::check_pulls(const EpochHistory& history) const {
  // Events by key: a counting sort of (worker, event).
  std::vector<std::size_t> begin(num_keys_ + 1, 0);
  for (const WorkerHistory* worker : history.workers) {
    for (const Event& event : worker->events) ++begin[event.key + 1];
  }
  for (Key key = 0; key < num_keys_; ++key) begin[key + 1] += begin[key];
  std::vector<Access> accesses(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (WorkerId worker = 0; worker < workers_; ++worker) {
    const WorkerHistory& one = *history.workers[worker];
    for (const Event& event : one.events) {
      const float* seen = event.kind == Event::Kind::kPull ? one.seen.data() + event.seen : nullptr;
      accesses[next[event.key]++] = {&event, worker, history.process_of(worker), seen};
    }
  }
  std::optional<Violation> first;
  for (Key key = 0; key < num_keys_; ++key) {
    const auto of_key = std::span(accesses).subspan(begin[key], begin[key + 1] - begin[key]);
    if (of_key.empty() || !keeps_sums(key)) continue;
    KeyCheck check(history, key, of_key, std::span(settled_).subspan(key * workers_, workers_),
                   {guarantees_, replicated_[key], clocks_});
    std::optional<Violation> violation = check.first_violation();
    if (!violation) continue;
    if (first) violation->keys = first->keys + 1;
    if (!first || violation->time_s < first->time_s) {
      first = std::move(violation);
    } else {
      first->keys = violation->keys;
    }
  }
  return first;
}

}  // namespace pslab::checks
