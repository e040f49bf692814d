// How a run writes checkpoints, and goes on from one: see src/checkpoint/README.md.
#include <algorithm>

#include "base/error.hpp"
#include "config/yaml.hpp"
#include "run/training.hpp"

namespace pslab::run {

using manager::Gather;
using manager::WorkerCore;

namespace {

double agree_on_largest(WorkerCore& core, double number) {
  return core.gather(Gather::kExchange, {number})->front();
}

/// Seconds by which injected faults may make a message late.
double latest_message(const Faults& faults) {
  double latest = faults.delay_probability > 0.0 ? faults.delay_max : 0.0;
  for (const Faults::SlowLink& link : faults.slow_links) {
    latest = std::max(latest, faults.delay_max + link.extra_latency);
  }
  return latest;
}

/// The values that a checkpoint has of this node: those that it owns, and of the ones that all
/// nodes hold those whose home it is. All replicas must agree.
std::vector<checkpoint::Owned> owned_values(manager::NodeCore& node) {
  std::vector<checkpoint::Owned> owned;
  node.store().for_each([&](Key key, manager::Holding holding) {
    const bool everywhere = holding.held() == manager::Held::kReplica && node.copies() == nullptr;
    if (holding.held() == manager::Held::kOwned || (everywhere && node.directory().is_home(key))) {
      owned.push_back({key, node.value(key, holding)});
    }
  });
  return owned;
}

}  // namespace

void Training::save(WorkerCore& core, int epoch, bool last) {
  const checkpoint::Folder folder(checkpointing_.folder);
  if (core.local_index() == 0) {
    folder.write_part(epoch, core.node().node(), keys_, owned_values(core.node()));
  }
  const double written = core.now();
  agree_on_largest(core, 0.0);  // all parts are on the disk
  double start = 0.0;
  if (core.id() == 0) {
    // The next gathering takes about as long as this one, and everybody must know by then.
    const double round = core.now() - written;
    start = core.now() + 4.0 * (round + latest_message(experiment_.cluster.faults)) + 1e-6;
    folder.commit(head(epoch, last, start), experiment_.checkpoint.keep);
  }
  start_clock_ = agree_on_largest(core, start);
}

checkpoint::Head Training::head(int epoch, bool last, double clock) const {
  return {.epoch = epoch,
          .ended = last,
          .time_s = time_,
          .clock_s = clock,
          .nodes = experiment_.cluster.nodes,
          .workers_per_node = experiment_.cluster.workers_per_node,
          .clocks = clocks_,
          .workload_state = experiment_.workload->state(),
          .events = checkpointing_.events,
          .groups = keys_.groups(),
          .config = config::dump_yaml(experiment_.resolved()),
          .data = checkpointing_.data};
}

void Training::start_again(NodeId node, std::uint32_t local_index, int epoch) {
  NodeRuntime& runtime = nodes_[node]->runtime();
  WorkerRuntime& worker = runtime.worker(local_index);
  worker.meet_at(start_clock_, epoch);
  Meeting& meeting = meetings_[node];
  const auto number = [&] {
    const Inside inside(runtime);
    return meeting.number;
  };
  bool last = false;
  std::uint64_t before = 0;
  {
    const Inside inside(runtime);
    before = meeting.number;
    last = ++meeting.arrived == setup_->workers_per_node;
    if (last) {
      begin_from_checkpoint(node, epoch);
      meeting.arrived = 0;
      ++meeting.number;
    }
  }
  for (std::uint32_t i = 0; last && i < setup_->workers_per_node; ++i) {
    if (i != local_index) runtime.worker(i).notify();
  }
  while (!last && number() == before) worker.wait(false);
  // Every node has begun before anything is accessed.
  nodes_[node]->worker(local_index).meet(Gather::kBarrier, {});
}

void Training::begin_from_checkpoint(NodeId node, int epoch) {
  if (began_with_[node] == epoch) return;
  if (start_.epochs != epoch) {
    const checkpoint::Folder folder(checkpointing_.folder);
    go_on_from(std::make_shared<const checkpoint::Checkpoint>(folder.of_epoch(epoch), false));
  }
  nodes_[node]->restart();
  began_with_[node] = epoch;
}

void Training::go_on_from(std::shared_ptr<const checkpoint::Checkpoint> checkpoint) {
  check_fits(*checkpoint);
  checkpoint_ = std::move(checkpoint);
  const checkpoint::Head& head = checkpoint_->head();
  const ClusterSpec& cluster = experiment_.cluster;
  start_ = {.epochs = head.epoch};
  start_clock_ = head.clock_s;
  if (head.nodes != cluster.nodes) return;
  start_.owners = checkpoint_->owners();
  if (head.workers_per_node == cluster.workers_per_node) start_.clocks = head.clocks;
}

void Training::check_fits(const checkpoint::Checkpoint& checkpoint) const {
  if (checkpoint.head().groups == keys_.groups()) return;
  fail_input(
      "the checkpoint of epoch {} holds other keys than the workload has now: its data or its "
      "model "
      "are not those that it was made with",
      checkpoint.head().epoch);
}

}  // namespace pslab::run
