// What is scheduled, the earliest first; of the same time, what was scheduled first. With hundreds
// of thousands of entries most of the time goes into waiting for memory: four children per entry
// make few levels, and what comes soon is fetched into the cache before its turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pslab::sim {

class Event {
 public:
  virtual ~Event() = default;
  virtual void happen() = 0;
  /// This event is among the next few: a good moment to prefetch what happen() needs.
  virtual void expect() {}
};

class EventHeap {
 public:
  struct Entry {
    double time;
    std::uint64_t order;
    Event* event;
    bool before(const Entry& other) const {
      return time != other.time ? time < other.time : order < other.order;
    }
  };

  bool empty() const { return entries_.empty(); }
  const Entry& top() const { return entries_.front(); }

  void push(const Entry& entry) {
    std::size_t at = entries_.size();
    entries_.push_back(entry);
    while (at > 0 && entry.before(entries_[(at - 1) / kChildren])) {
      entries_[at] = entries_[(at - 1) / kChildren];
      at = (at - 1) / kChildren;
    }
    entries_[at] = entry;
  }

  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return first;
  }

  /// Prefetches the events that come next.
  void prefetch() const {
    if (!entries_.empty()) entries_.front().event->expect();
    const std::size_t end = std::min(entries_.size(), kChildren + 1);
    for (std::size_t child = 1; child < end; ++child) __builtin_prefetch(entries_[child].event);
  }

 private:
  static constexpr std::size_t kChildren = 4;

  /// Puts an entry that comes late in the place of the first.
  void sink(const Entry& entry) {
    std::size_t at = 0;
    for (std::size_t child = 1; child < entries_.size(); child = at * kChildren + 1) {
      const std::size_t end = std::min(child + kChildren, entries_.size());
      for (std::size_t other = child + 1; other < end; ++other) {
        if (entries_[other].before(entries_[child])) child = other;
      }
      if (!entries_[child].before(entry)) break;
      entries_[at] = entries_[child];
      at = child;
    }
    entries_[at] = entry;
  }

  std::vector<Entry> entries_;
};

}  // namespace pslab::sim
