#include "sim/event_queue.hpp"

#include "sim/kernel.hpp"

namespace pslab::sim {

void EventQueue::schedule(double time, Event& event) {
  entries_.push({time, scheduled_++, &event});
  if (armed_ < 0.0 || time < armed_) arm(time);
}

void EventQueue::arm(double time) {
  armed_ = time;
  kernel::call_at(time, [this, time] { run_due(time); });
}

void EventQueue::run_due(double time) {
  if (armed_ != time) return;  // an earlier timer has taken over
  while (!entries_.empty() && entries_.top().time <= time) {
    Event* event = entries_.top().event;
    entries_.pop();
    event->happen();
  }
  armed_ = -1.0;
  if (!entries_.empty()) arm(entries_.top().time);
}

}  // namespace pslab::sim
