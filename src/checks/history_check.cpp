#include "checks/history_check.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "checks/history_text.hpp"
#include "checks/numbers.hpp"
#include "manager/node_core.hpp"

namespace pslab::checks {

namespace {

constexpr std::size_t kEventsInMessage = 20;
constexpr std::size_t kEventsInLog = 10'000;

KeySpace longer(const KeySpace& keys, std::uint32_t extra) {
  std::vector<KeyGroup> groups = keys.groups();
  for (KeyGroup& group : groups) group.length += extra;
  return KeySpace(std::move(groups), keys.represents());
}

}  // namespace

HistoryCheck::HistoryCheck(const KeySpace& task_keys, NodeId nodes, std::uint32_t workers_per_node,
                           const Plan& plan, const Guarantees& guarantees, std::uint64_t memory)
    : nodes_(nodes),
      workers_per_node_(workers_per_node),
      plan_(plan),
      guarantees_(guarantees),
      counters_(nodes * workers_per_node),
      stored_keys_(longer(task_keys, counters_.extra())),
      bytes_per_worker_(memory / counters_.workers()),
      recorders_(counters_.workers()),
      copies_(nodes) {}

// Per key and worker: a counter in the copy that is looked at after each epoch, the worker's own,
// and what earlier epochs had.
std::uint64_t HistoryCheck::bytes(const KeySpace& task_keys, WorkerId workers) {
  return task_keys.size() * (3 * std::uint64_t{workers} + 1) * sizeof(float);
}

void HistoryCheck::add_node(NodeId node) {
  ++nodes_here_;
  for (std::uint32_t i = 0; i < workers_per_node_; ++i) {
    const WorkerId worker = node * workers_per_node_ + i;
    recorders_[worker] =
        std::make_unique<Recorder>(counters_, stored_keys_, order_, worker, bytes_per_worker_);
  }
  if (node == 0) {
    checker_.emplace(stored_keys_.size(), counters_.workers(), guarantees_, plan_);
  }
}

void HistoryCheck::inspect(manager::NodeCore& node) {
  using manager::Held;
  NodeCopies& copies = copies_[node.node()];
  copies = {};
  const Inside inside(node.runtime());
  node.store().for_each([&](Key key, manager::Holding holding) {
    if (holding.held() > Held::kReplica) return;
    // Copies with clocks may be old, but then they are not read.
    if (holding.held() == Held::kReplica && node.copies() != nullptr) return;
    const auto guard = node.lock(key);
    copies.keys.push_back(static_cast<std::uint32_t>(key));
    copies.replica.push_back(holding.held() == Held::kReplica);
    counters_.append(copies.seen, {node.value(key, holding), stored_keys_.length(key)});
  });
}

std::vector<double> HistoryCheck::hand_over(WorkerId worker) const {
  if (is_here(0)) return {};
  const bool first = worker % workers_per_node_ == 0;
  return to_numbers(recorders_[worker]->history(),
                    first ? &copies_[worker / workers_per_node_] : nullptr);
}

Checked HistoryCheck::check(const std::vector<std::span<const double>>& handed_over, int epoch,
                            const std::function<void(const std::string&)>& log) {
  EpochHistory history;
  history.processes = nodes_here_ == nodes_ ? 1 : nodes_;
  history.nodes = std::move(copies_);
  copies_.assign(nodes_, {});
  std::vector<WorkerHistory> elsewhere(counters_.workers());
  Checked checked;
  for (WorkerId worker = 0; worker < counters_.workers(); ++worker) {
    const NodeId node = worker / workers_per_node_;
    if (!is_here(node)) from_numbers(handed_over[worker], elsewhere[worker], history.nodes[node]);
    history.workers.push_back(is_here(node) ? &recorders_[worker]->history() : &elsewhere[worker]);
    checked.pulls += history.workers.back()->pulls;
    checked.pushes += history.workers.back()->pushes;
    checked.dropped += history.workers.back()->dropped;
  }
  const std::optional<Violation> violation = checker_->check(history);
  if (violation) fail(*violation, history, epoch, log);
  return checked;
}

void HistoryCheck::fail(const Violation& violation, const EpochHistory& history, int epoch,
                        const std::function<void(const std::string&)>& log) const {
  log(fmt::format(
      "checks.history: all events on key {} in epoch {}:\n{}", violation.key, epoch,
      events_text(history, {.key = violation.key, .clocks = plan_.clocks, .most = kEventsInLog})));
  std::string events = events_text(history, {.key = violation.key,
                                             .workers = violation.workers,
                                             .until_s = violation.time_s,
                                             .evaluation = violation.rule == Rule::kEvaluation,
                                             .clocks = plan_.clocks,
                                             .most = kEventsInMessage});
  if (events.empty()) events = "  none\n";
  events.pop_back();
  fail_run(
      "checks.history: '{}' does not hold in epoch {}: key {}: {}{}. This is a defect of the "
      "strategy, of what it promises, or of pslab. The last events on this key of the workers "
      "concerned until then (the run's log has all of the epoch):\n{}",
      name(violation.rule), epoch, violation.key, violation.what,
      violation.keys > 1 ? fmt::format(" ({} keys show a violation)", violation.keys) : "", events);
}

}  // namespace pslab::checks
