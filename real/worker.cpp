#include <chrono>
#include <thread>
#include <utility>

#include "real/node.hpp"

namespace pslab::real {

namespace {
/// A worker tries this long to move messages before it goes to sleep: when it has asked another
/// node for something, and when it waits for all others. Seconds.
constexpr double kHotForSoon = 5e-3;
constexpr double kHotForOthers = 200e-6;
/// It yields its processor for so long before it sleeps, if only for a moment. Seconds.
constexpr double kMostYielding = 10e-3;
}  // namespace

double RealWorker::wait(bool soon) {
  const double hot = soon ? kHotForSoon : kHotForOthers;
  waiting_for_soon_.store(soon, std::memory_order_relaxed);
  waiting_.store(true, std::memory_order_relaxed);
  double idle_since = -1.0;
  while (notified_.exchange(0, std::memory_order_acq_rel) == 0) {
    if (node_.failed()) break;
    if (node_.try_progress()) {
      idle_since = -1.0;
      continue;
    }
    const double now = node_.now();
    if (idle_since < 0.0) idle_since = now;
    if (now - idle_since < hot) {
      give_way(now);
    } else {
      notified_.wait(0, std::memory_order_acquire);
      slept_at_ = node_.now();
    }
  }
  waiting_.store(false, std::memory_order_relaxed);
  waiting_for_soon_.store(false, std::memory_order_relaxed);
  busy_since_ = node_.now();
  node_.step(busy_since_);
  node_.check();
  return 0.0;
}

// Linux may let a thread that yields again and again go on while others that are to run on its
// processor wait for seconds, threads of the system among them. It does not when the thread sleeps.
void RealWorker::give_way(double now) {
  if (now - slept_at_ < kMostYielding) {
    std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(std::chrono::microseconds(1));
  slept_at_ = node_.now();
}

void RealWorker::notify() {
  notified_.store(1, std::memory_order_release);
  notified_.notify_one();
}

void RealWorker::poll() {
  node_.check();
  slow_down();
  node_.try_progress();
}

void RealWorker::slow_down() {
  const double factor = node_.slowdown();
  if (factor <= 1.0) return;
  owed_ += (factor - 1.0) * (node_.now() - busy_since_);
  constexpr double kWorthSleeping = 200e-6;
  if (owed_ > kWorthSleeping)
    std::this_thread::sleep_for(std::chrono::duration<double>(std::exchange(owed_, 0.0)));
  busy_since_ = node_.now();
}

}  // namespace pslab::real
