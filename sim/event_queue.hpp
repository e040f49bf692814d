// What will happen when, apart from SimGrid's own flows and actors. Events of the same time happen
// in the order in which they were scheduled.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace pslab::sim {

class Event {
 public:
  virtual ~Event() = default;
  virtual void happen() = 0;
};

class EventQueue {
 public:
  /// `event` must live until it has happened. `time` must not be in the past.
  void schedule(double time, Event& event);

 private:
  struct Entry {
    double time;
    std::uint64_t order;
    Event* event;
    bool operator<(const Entry& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  void arm(double time);
  void run_due(double time);

  std::priority_queue<Entry> entries_;
  std::uint64_t scheduled_ = 0;
  double armed_ = -1.0;  ///< time of the earliest kernel timer that is set; negative: none
};

}  // namespace pslab::sim
