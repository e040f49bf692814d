#include "sim/sim_node.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"

namespace pslab::sim {

void SimWorker::block() {
  node_.simulation().events().actor_blocks();
  wakeups_->acquire();
  node_.simulation().events().actor_runs();
  node_.simulation().check();
  node_.simulation().progress();
}

void SimWorker::wake() {
  node_.simulation().events().actor_woken();
  wakeups_->release();
}

double SimWorker::wait(bool /*soon*/) {
  node_.simulation().check();
  if (!notified_) {
    waiting_ = true;
    block();
  }
  notified_ = false;
  return std::max(0.0, resume_at_ - node_.now());
}

void SimWorker::notify() {
  if (notified_) return;
  notified_ = true;
  resume_at_ = node_.handler_time();
  if (!waiting_) return;
  waiting_ = false;
  wake();
}

void SimWorker::spend(double seconds) {
  node_.simulation().check();
  node_.simulation().events().schedule(node_.now() + seconds, *this);
  block();
}

void SimWorker::meet_at(double time, int epochs) {
  node_.simulation().check();
  node_.simulation().meet_at(time, epochs);
  block();
}

/// A function that a node wants to run later.
class SimNode::Timer final : public Event {
 public:
  Timer(SimNode& node, std::function<void()> action) : node_(node), action_(std::move(action)) {}
  void happen() override {
    node_.simulation().check_stall();
    node_.handle(action_);
    // The event is over: drop it together with other finished ones.
    done_ = true;
    std::erase_if(node_.timers_,
                  [this](const auto& timer) { return timer->done_ && timer.get() != this; });
  }

 private:
  SimNode& node_;
  std::function<void()> action_;
  bool done_ = false;
};

SimNode::SimNode(Simulation& simulation, NodeId node, const CostTable& costs, double speed)
    : simulation_(simulation), node_(node), base_costs_(costs) {
  base_costs_.step /= speed;
  base_costs_.flop /= speed;
  base_costs_.local_access /= speed;
  base_costs_.local_byte /= speed;
  base_costs_.send_message /= speed;
  base_costs_.receive_message /= speed;
  base_costs_.message_byte /= speed;
  base_costs_.message_key /= speed;
  costs_ = base_costs_;
  for (std::uint32_t i = 0; i < simulation.cluster().workers_per_node; ++i) {
    workers_.push_back(std::make_unique<SimWorker>(*this));
  }
}

SimNode::~SimNode() = default;

void SimNode::set_slowdown(double factor) {
  costs_.step = base_costs_.step * factor;
  costs_.flop = base_costs_.flop * factor;
  costs_.local_access = base_costs_.local_access * factor;
  costs_.local_byte = base_costs_.local_byte * factor;
  costs_.send_message = base_costs_.send_message * factor;
  costs_.receive_message = base_costs_.receive_message * factor;
  costs_.message_byte = base_costs_.message_byte * factor;
  costs_.message_key = base_costs_.message_key * factor;
}

void SimNode::send(NodeId to, Message message, double worker_seconds) {
  double delay = worker_seconds;
  if (handling_) {
    busy_until_ += costs_.send_message + static_cast<double>(message.size()) * costs_.message_byte;
    delay = busy_until_ - now();
  }
  simulation_.send(node_, to, std::move(message), delay);
}

void SimNode::after(double seconds, std::function<void()> action) {
  timers_.push_back(std::make_unique<Timer>(*this, std::move(action)));
  simulation_.events().schedule(now() + seconds, *timers_.back());
}

void SimNode::arrived(Message message) {
  inbox_.push_back(std::move(message));
  if (!waiting_) serve();
}

void SimNode::happen() {
  waiting_ = false;
  serve();
}

void SimNode::serve() {
  while (!inbox_.empty()) {
    if (busy_until_ > now()) {
      waiting_ = true;
      simulation_.events().schedule(busy_until_, *this);
      return;
    }
    Message message = std::move(inbox_.front());
    inbox_.pop_front();
    handle([&] {
      busy_until_ += costs_.receive_message +
                     static_cast<double>(message.size()) * costs_.message_byte +
                     message.header().num_keys * costs_.message_key;
      receiver_->receive(std::move(message));
    });
  }
}

// Runs a handler: what it costs moves busy_until_; what it throws ends the run.
template <typename Work>
void SimNode::handle(Work work) {
  // After a failure nothing is handled: the workers that it would answer are leaving.
  if (simulation_.failed()) return;
  busy_until_ = std::max(busy_until_, now());
  handling_ = true;
  try {
    work();
  } catch (const std::exception& error) {
    simulation_.fail(error.what());
  }
  handling_ = false;
}

void SimNode::wake_all() {
  for (const auto& worker : workers_) worker->notify();
}

void SimNode::meet_all() {
  for (const auto& worker : workers_) worker->meet();
}

}  // namespace pslab::sim
