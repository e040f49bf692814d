// What will happen when, apart from SimGrid's own flows. Events of the same time happen in the
// order in which they were scheduled.
//
// With SimGrid's clock, an event is a kernel timer: SimGrid advances to it, past its own flows.
// Where there are no flows, the queue can keep the clock itself and take one event after the other
// without going through SimGrid, until an actor has something to do; SimGrid then only switches
// between actors. Twice as fast.
#pragma once

#include <cstdint>

#include "sim/event_heap.hpp"

namespace pslab::sim {

class EventQueue {
 public:
  explicit EventQueue(bool own_clock) : own_clock_(own_clock) {}

  double now() const;
  /// `event` must live until it has happened. `time` must not be in the past.
  void schedule(double time, Event& event);

  /// An event has made an actor runnable / that actor runs / an actor is about to block or to end.
  /// With its own clock the queue lets woken actors run before it goes on.
  void actor_woken() { ++woken_; }
  void actor_runs() { --woken_; }
  void actor_blocks();

 private:
  void arm(double time);
  void run_due(double time);
  bool due(double time) const;

  bool own_clock_;
  double clock_ = 0.0;  ///< own clock: time of the event that happened last
  EventHeap entries_;
  std::uint64_t scheduled_ = 0;
  std::uint32_t woken_ = 0;  ///< actors that are runnable and have not run
  double armed_ = -1.0;      ///< time of the earliest kernel timer that is set; negative: none
};

}  // namespace pslab::sim
