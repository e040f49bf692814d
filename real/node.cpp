#include "real/node.hpp"

#include <signal.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::real {

namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

constexpr std::size_t kTransfersPerTurn = 64;
// A transfer is sent when it has this many messages or bytes at the latest: the other side can
// begin while this one goes on, and MPI passes on transfers of up to 4 KiB without asking first.
constexpr std::size_t kFlushMessages = 16;
constexpr std::size_t kFlushBytes = 3500;
// The communication thread: how long after the last message it only yields, and how long it sleeps
// then, doubling from the shortest to the longest; less long while a worker waits for an answer,
// since otherwise nodes that are slow to ask would find each other asleep every time. Seconds.
constexpr double kHot = 1e-3;
constexpr double kShortestSleep = 20e-6;
constexpr double kLongestSleep = 4e-3;
constexpr double kLongestSleepForSoon = 50e-6;
/// It looks this often whether the workers still move messages by themselves.
constexpr double kWatch = 200e-6;

void sleep_for(double seconds) {
  std::this_thread::sleep_for(duration<double>(seconds));
}

}  // namespace

RealNode::RealNode(NodeId node, const ClusterSpec& cluster, const RealOptions& options,
                   Transport* transport, const std::atomic<bool>& stop)
    : node_(node),
      cluster_(cluster),
      options_(options),
      transport_(transport),
      stop_(stop),
      outgoing_(cluster.nodes),
      outgoing_bytes_(cluster.nodes, 0),
      held_(cluster.nodes),
      delays_(cluster.seed, "injected message delays", node) {
  for (std::uint32_t i = 0; i < cluster.workers_per_node; ++i) {
    workers_.push_back(std::make_unique<RealWorker>(*this));
  }
}

RealNode::~RealNode() {
  stop_communication();
}

double RealNode::now() const {
  return duration<double>(steady_clock::now() - began_).count();
}

void RealNode::send(NodeId to, Message message, double /*worker_seconds*/) {
  if (to == node_) {
    own_.push_back(std::move(message));
    return;
  }
  const double delay = injected_delay(to);
  if (delay > 0.0 || !held_[to].empty()) {
    const double due = std::max(now() + delay, held_[to].empty() ? 0.0 : held_[to].back().due);
    held_[to].push_back({due, std::move(message)});
    ++num_held_;
    return;
  }
  queue(to, std::move(message));
}

void RealNode::queue(NodeId to, Message message) {
  outgoing_bytes_[to] += message.size();
  outgoing_[to].push_back(std::move(message));
  if (options_.coalesce && outgoing_bytes_[to] < kFlushBytes &&
      outgoing_[to].size() < kFlushMessages) {
    return;
  }
  transport_->send(to, outgoing_[to]);
  outgoing_bytes_[to] = 0;
}

void RealNode::flush() {
  for (NodeId to = 0; to < outgoing_.size(); ++to) {
    if (outgoing_[to].empty()) continue;
    transport_->send(to, outgoing_[to]);
    outgoing_bytes_[to] = 0;
  }
}

bool RealNode::try_enter() {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (mutex_.try_lock()) return true;
    sleep_for(kWatch);
  }
  return false;
}

void RealNode::after(double seconds, std::function<void()> action) {
  timers_.push({now() + seconds, timers_set_++, std::move(action)});
  next_timer_.store(timers_.top().due, std::memory_order_relaxed);
}

bool RealNode::try_progress() {
  const std::unique_lock<std::mutex> inside(mutex_, std::try_to_lock);
  if (!inside.owns_lock()) return false;
  turns_.fetch_add(1, std::memory_order_relaxed);
  // After a failure nothing is handled: the workers that it would answer are leaving.
  if (failed()) return false;
  try {
    const bool busy = progress();
    if (busy) last_step_.store(now(), std::memory_order_relaxed);
    return busy;
  } catch (const std::exception& error) {
    fail(error.what());
    return true;
  }
}

bool RealNode::progress() {
  bool busy = take_own();
  if (transport_ != nullptr) {
    busy |= transport_->poll(kTransfersPerTurn, *receiver_);
  }
  if (!timers_.empty()) busy |= run_timers();
  if (num_held_ > 0) busy |= release_held();
  busy |= take_own();
  if (transport_ != nullptr) flush();
  return busy;
}

bool RealNode::take_own() {
  if (own_.empty()) return false;
  while (!own_.empty()) {
    Message message = std::move(own_.front());
    own_.pop_front();
    receiver_->receive(std::move(message));
  }
  return true;
}

bool RealNode::run_timers() {
  bool any = false;
  const double time = now();
  while (!timers_.empty() && timers_.top().due <= time) {
    const auto action = timers_.top().action;
    timers_.pop();
    action();
    any = true;
  }
  next_timer_.store(timers_.empty() ? 1e300 : timers_.top().due, std::memory_order_relaxed);
  return any;
}

bool RealNode::release_held() {
  bool any = false;
  const double time = now();
  for (NodeId to = 0; to < held_.size(); ++to) {
    while (!held_[to].empty() && held_[to].front().due <= time) {
      queue(to, std::move(held_[to].front().message));
      held_[to].pop_front();
      --num_held_;
      any = true;
    }
  }
  return any;
}

// --- the communication thread

void RealNode::meet(double begins_at) {
  if (transport_ != nullptr) {
    transport_->begin_barrier();
    while (!transport_->barrier_done()) {
      sleep_for(kWatch);
      if (stop_.load(std::memory_order_relaxed)) fail_run("interrupted");
    }
  }
  const duration<double> before(begins_at);
  began_ = steady_clock::now() - duration_cast<steady_clock::duration>(before);
  last_step_ = begins_at;
  failures_over_ = begins_at > 0.0;
}

void RealNode::start_communication() {
  communication_ = std::thread([this] { communicate(); });
}

void RealNode::stop_communication() {
  closing_ = true;
  if (communication_.joinable()) communication_.join();
}

void RealNode::communicate() {
  std::uint64_t turns = turns_.load();
  double last_busy = now();
  double sleep = kShortestSleep;
  while (!closing_.load(std::memory_order_relaxed)) {
    loops_.fetch_add(1, std::memory_order_relaxed);
    if (stop_.load(std::memory_order_relaxed)) fail("interrupted");
    fail_if_due();
    const std::uint64_t seen = turns_.load(std::memory_order_relaxed);
    if (seen != turns) {  // workers move messages by themselves
      turns = seen;
      last_busy = now();
      sleep = kShortestSleep;
      sleep_for(kWatch);
      continue;
    }
    const bool busy = try_progress();
    turns = turns_.load(std::memory_order_relaxed);
    const double time = now();
    if (busy) {
      last_busy = time;
      sleep = kShortestSleep;
    } else if (transport_ != nullptr && time - last_busy < kHot) {
      std::this_thread::yield();
    } else {
      const double to_timer = next_timer_.load(std::memory_order_relaxed) - time;
      sleep_for(std::clamp(to_timer, kShortestSleep, sleep));
      const bool soon = std::ranges::any_of(
          workers_, [](const auto& worker) { return worker->waiting_for_soon(); });
      sleep = std::min(2.0 * sleep, soon ? kLongestSleepForSoon : kLongestSleep);
    }
  }
}

Health RealNode::health() const {
  const bool all_wait =
      std::ranges::all_of(workers_, [](const auto& worker) { return worker->waiting(); });
  const double idle = all_wait ? now() - last_step_.load(std::memory_order_relaxed) : 0.0;
  return {loops_.load(std::memory_order_relaxed), std::max(0.0, idle)};
}

// --- failure and faults

void RealNode::fail(const std::string& reason) {
  {
    const std::scoped_lock lock(reason_mutex_);
    if (failed_) return;
    reason_ = reason;
    failed_.store(true, std::memory_order_release);
  }
  for (const auto& worker : workers_) worker->notify();
}

std::string RealNode::reason() const {
  const std::scoped_lock lock(reason_mutex_);
  return reason_;
}

void RealNode::check() const {
  if (failed()) throw RunError(reason());
}

double RealNode::slowdown() const {
  double factor = 1.0;
  if (cluster_.faults.slow_nodes.empty()) return factor;
  const double time = now();
  for (const Faults::SlowNode& slow : cluster_.faults.slow_nodes) {
    if (slow.node == node_ && slow.from <= time && time < slow.until) factor *= slow.slowdown;
  }
  return factor;
}

double RealNode::injected_delay(NodeId to) {
  const Faults& faults = cluster_.faults;
  double delay = 0.0;
  if (faults.delay_probability > 0.0 && delays_.uniform() < faults.delay_probability) {
    delay += faults.delay_max * delays_.uniform();
  }
  if (faults.slow_links.empty()) return delay;
  const double time = now();
  for (const Faults::SlowLink& link : faults.slow_links) {
    const bool active = time >= link.from && time < link.until;
    if (active && link.from_node == node_ && link.to_node == to) delay += link.extra_latency;
  }
  return delay;
}

void RealNode::fail_if_due() {
  for (const Faults::Failure& failure : cluster_.faults.failures) {
    if (failures_over_ || failure.node != node_ || failed() || now() < failure.at) continue;
    const std::string why = fmt::format("node {} failed at {} (injected by faults.failures)", node_,
                                        human_seconds(failure.at));
    if (transport_ != nullptr) {
      if (last_words_) last_words_(why);
      ::raise(SIGKILL);  // the others must notice by themselves
    }
    fail(why);
  }
}

}  // namespace pslab::real
