#include "sim/event_queue.hpp"

#include "sim/kernel.hpp"

namespace pslab::sim {

double EventQueue::now() const {
  return own_clock_ ? clock_ : kernel::clock();
}

void EventQueue::schedule(double time, Event& event) {
  entries_.push({time, scheduled_++, &event});
  if (armed_ < 0.0 || time < armed_) arm(entries_.top().time);
}

void EventQueue::arm(double time) {
  armed_ = kernel::call_at(time, [this](double due) { run_due(due); });
}

void EventQueue::actor_blocks() {
  if (own_clock_ && armed_ < 0.0 && !entries_.empty()) arm(entries_.top().time);
}

bool EventQueue::due(double time) const {
  if (entries_.empty()) return false;
  return own_clock_ ? woken_ == 0 : entries_.top().time <= time;
}

void EventQueue::run_due(double time) {
  if (armed_ != time) return;  // an earlier timer has taken over
  while (due(time)) {
    const EventHeap::Entry next = entries_.pop();
    entries_.prefetch();
    clock_ = next.time;
    next.event->happen();
  }
  armed_ = -1.0;
  // With woken actors the next one to block sets the timer: they come first.
  if (!entries_.empty() && !(own_clock_ && woken_ > 0)) arm(entries_.top().time);
}

}  // namespace pslab::sim
