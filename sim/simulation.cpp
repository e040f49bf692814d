#include "sim/simulation.hpp"

#include <simgrid/s4u.hpp>

#include <xbt/log.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/sim_node.hpp"

namespace pslab::sim {

namespace s4u = simgrid::s4u;

/// A message between send and delivery.
class Simulation::Flight final : public Parcel {
 public:
  explicit Flight(Simulation& simulation) : Parcel(*simulation.network_), simulation_(simulation) {}
  void landed() override { simulation_.landed(*this); }
  void expect() override {
    __builtin_prefetch(message_.bytes().data());
    __builtin_prefetch(&simulation_.pair_of(from, to));
    simulation_.nodes_[to]->expect();
  }
  void deliver() {
    Message message = std::move(message_);
    simulation_.idle_.push_back(this);
    simulation_.nodes_[to]->arrived(std::move(message));
  }

  Simulation& simulation_;
  Message message_;
  Flight* next_ = nullptr;  ///< sent after this one between the same nodes
  bool landed_ = false;
};

namespace {
// SimGrid allows one engine per process and simulation.
void prepare_engine() {
  if (s4u::Engine::is_initialized()) {
    throw std::logic_error("a process can run one simulation only");
  }
  static char name[] = "pslab";
#ifdef __SANITIZE_ADDRESS__
  // AddressSanitizer must know the stack on which an exception is thrown: threads, not bare
  // contexts.
  static char factory[] = "--cfg=contexts/factory:thread";
#else
  static char factory[] = "--cfg=contexts/factory:raw";
#endif
  int argc = 2;
  char* argv[] = {name, factory, nullptr};
  xbt_log_control_set("root.thresh:critical root.app:file:/dev/null");
  new s4u::Engine(&argc, argv);  // lives as long as the process; SimGrid forbids to delete it early
  s4u::Engine::set_config("contexts/stack-size:256");
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  // The default caps a flow at 4 MiB per round trip, which would slow long links down.
  s4u::Engine::set_config("network/TCP-gamma:1e18");
}
}  // namespace

Simulation::Simulation(const ClusterSpec& cluster, const SimOptions& options,
                       const std::atomic<bool>& stop)
    : cluster_(cluster),
      options_(options),
      stop_(stop),
      events_(options.alpha_beta),
      platform_(graph::Platform::load(cluster.platform, cluster.nodes, cluster.root)),
      pairs_(std::size_t{cluster.nodes} * cluster.nodes),
      delays_(cluster.seed, "injected message delays") {
  prepare_engine();
  network_ = options.alpha_beta ? make_alpha_beta_network(platform_, events_)
                                : make_flow_network(platform_, events_);
  for (NodeId node = 0; node < cluster.nodes; ++node) {
    nodes_.push_back(
        std::make_unique<SimNode>(*this, node, platform_.costs(), platform_.speed(node)));
  }
}

Simulation::~Simulation() = default;

double Simulation::now() const {
  return events_.now();
}

void Simulation::execute(Program& program) {
  program_ = &program;
  for (const auto& node : nodes_) node->set_receiver(program.start_node(*node));
  if (program.begins_at() <= 0.0) inject_faults(0.0);
  start_workers(program);
  s4u::Engine::on_deadlock_cb([this] { fail("no worker can go on: " + program_->waiting_text()); });
  s4u::Engine::get_instance()->run();
  if (!error_.empty()) throw RunError(error_);
}

void Simulation::start_workers(Program& program) {
  for (NodeId node = 0; node < cluster_.nodes; ++node) {
    for (std::uint32_t local = 0; local < cluster_.workers_per_node; ++local) {
      const std::string name = fmt::format("worker-{}-{}", node, local);
      s4u::Actor::create(name, s4u::Host::by_name(fmt::format("node-{}", node)),
                         [this, &program, node, local] {
                           try {
                             program.run_worker(node, local);
                           } catch (const std::exception& error) {
                             fail(error.what());
                           }
                           --running_workers_;
                           events_.actor_blocks();
                         });
      ++running_workers_;
    }
  }
}

void Simulation::send(NodeId from, NodeId to, Message message, double delay) {
  if (idle_.empty()) {
    flights_.emplace_back(*this);
    idle_.push_back(&flights_.back());
  }
  Flight& flight = *idle_.back();
  idle_.pop_back();
  flight.from = from;
  flight.to = to;
  flight.bytes = message.size();
  flight.message_ = std::move(message);
  flight.next_ = nullptr;
  flight.landed_ = false;
  Pair& pair = pair_of(from, to);
  (pair.first == nullptr ? pair.first : pair.last->next_) = &flight;
  pair.last = &flight;
  if (from != to) delay += injected_delay(from, to);
  network_->send(flight, delay);
}

void Simulation::landed(Flight& flight) {
  flight.landed_ = true;
  release_in_order(pair_of(flight.from, flight.to));
}

void Simulation::release_in_order(Pair& pair) {
  while (pair.first != nullptr && pair.first->landed_) {
    Flight* flight = pair.first;
    pair.first = flight->next_;
    flight->deliver();
  }
}

Simulation::Pair& Simulation::pair_of(NodeId from, NodeId to) {
  return pairs_[std::size_t{from} * cluster_.nodes + to];
}

double Simulation::injected_delay(NodeId from, NodeId to) {
  const Faults& faults = cluster_.faults;
  double delay = 0.0;
  if (faults.delay_probability > 0.0 && delays_.uniform() < faults.delay_probability) {
    delay += faults.delay_max * delays_.uniform();
  }
  for (const Faults::SlowLink& link : faults.slow_links) {
    const bool active = now() >= link.from && now() < link.until;
    if (active && link.from_node == from && link.to_node == to) delay += link.extra_latency;
  }
  return delay;
}

namespace {
class Call final : public Event {
 public:
  explicit Call(std::function<void()> action) : action_(std::move(action)) {}
  void happen() override { action_(); }

 private:
  std::function<void()> action_;
};
}  // namespace

void Simulation::call_at(double time, std::function<void()> action) {
  calls_.push_back(std::make_unique<Call>(std::move(action)));
  events_.schedule(time, *calls_.back());
}

void Simulation::inject_faults(double from) {
  faults_injected_ = true;
  for (const Faults::SlowNode& slow : cluster_.faults.slow_nodes) {
    for (const double time : {slow.from, slow.until}) {
      if (time <= from || time >= 1e300) continue;
      call_at(time, [this, slow, time] { slow_down(slow.node, time); });
    }
    slow_down(slow.node, from);
  }
  if (from > 0.0) return;  // failures have happened
  for (const Faults::Failure& failure : cluster_.faults.failures) {
    call_at(failure.at, [this, failure] {
      if (running_workers_ == 0) return;
      fail(fmt::format("node {} failed at {} (injected by faults.failures). {}", failure.node,
                       human_seconds(failure.at), program_->waiting_text()));
    });
  }
}

void Simulation::meet_at(double time, int epochs) {
  if (meeting_++ == 0) call_at(time, [this, epochs] { meet(epochs); });
}

void Simulation::meet(int epochs) {
  if (failed()) return;  // workers that were woken before are not in meet_at() any more
  if (meeting_ != running_workers_) {
    return fail(
        "internal error: a worker came too late to where a run goes on from a checkpoint. "
        "This is a defect of pslab; please report it with the config and seed");
  }
  meeting_ = 0;
  delays_ = Random(cluster_.seed, "injected message delays", static_cast<std::uint64_t>(epochs));
  if (!faults_injected_) inject_faults(now());
  for (const auto& node : nodes_) node->meet_all();
}

void Simulation::slow_down(NodeId node, double time) {
  double factor = 1.0;
  for (const Faults::SlowNode& slow : cluster_.faults.slow_nodes) {
    if (slow.node == node && slow.from <= time && time < slow.until) factor *= slow.slowdown;
  }
  nodes_[node]->set_slowdown(factor);
}

void Simulation::check_stall() {
  if (running_workers_ == 0 || now() - last_progress_ <= options_.stall_limit) return;
  fail(fmt::format("no worker went on for {} simulated seconds: {}", shortest(options_.stall_limit),
                   program_->waiting_text()));
}

void Simulation::fail(const std::string& reason) {
  if (!error_.empty()) return;
  error_ = reason;
  for (const auto& node : nodes_) node->wake_all();
}

void Simulation::check() {
  if (error_.empty() && stop_.load(std::memory_order_relaxed)) fail("interrupted");
  if (!error_.empty()) throw RunError(error_);
}

}  // namespace pslab::sim
