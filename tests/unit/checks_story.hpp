// Histories written by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checks/checker.hpp"

namespace pslab::checks {

using Seen = std::vector<float>;

/// A history written by hand: two keys and three workers, each on a node of its own, all in one
/// process. What happens is told in order; every pull says which pushes of each worker it sees.
class Story {
 public:
  explicit Story(Guarantees guarantees = {}, std::vector<Key> replicated = {},
                 std::uint32_t processes = 1, std::optional<Clocks> clocks = {})
      : replicated_(std::move(replicated)),
        checker_(kKeys, kWorkers, guarantees, plan(replicated_, clocks)),
        histories_(kWorkers),
        places_(kWorkers) {
    epoch_.processes = processes;
    for (WorkerHistory& history : histories_) {
      history.pushed.assign(kKeys, 0);
      epoch_.workers.push_back(&history);
    }
    settle();
  }

  void step(WorkerId worker, std::uint32_t steps = 1) { places_[worker].steps += steps; }
  void barrier() {
    for (Place& place : places_) place = {place.barriers + 1, 0};
  }

  void push(WorkerId worker, Key key) {
    Event event = begin(worker, key);
    event.own_before = histories_[worker].pushed[key]++;
    histories_[worker].events.push_back(event);
  }
  void push_acknowledged(WorkerId worker, Key key) {
    push(worker, key);
    end(histories_[worker].events.back());
  }

  Event begin_pull(WorkerId worker, Key key) {
    Event event = begin(worker, key);
    event.kind = Event::Kind::kPull;
    event.own_before = histories_[worker].pushed[key];
    return event;
  }
  void end_pull(WorkerId worker, Event event, const Seen& seen) {
    float total = 0.0F;
    for (const float count : seen) total += count;
    end_torn_pull(worker, event, seen, total);
  }
  void end_torn_pull(WorkerId worker, Event event, const Seen& seen, float total) {
    WorkerHistory& history = histories_[worker];
    end(event);
    event.own_after = history.pushed[event.key];
    event.seen = history.seen.size();
    history.seen.insert(history.seen.end(), seen.begin(), seen.end());
    history.seen.push_back(total);
    history.events.push_back(event);
  }
  void pull(WorkerId worker, Key key, const Seen& seen) {
    end_pull(worker, begin_pull(worker, key), seen);
  }
  void evaluate(WorkerId worker, Key key, const Seen& seen) {
    pull(worker, key, seen);
    histories_[worker].events.back().evaluating = true;
  }

  /// All updates come home: the right copies of all keys, on the nodes that they belong to.
  void settle() {
    epoch_.nodes.assign(kWorkers, {});
    for (Key key = 0; key < kKeys; ++key) {
      const bool everywhere = std::count(replicated_.begin(), replicated_.end(), key) != 0;
      for (NodeId node = 0; node < (everywhere ? kWorkers : 1); ++node) {
        add_copy(node, key, everywhere, right(key));
      }
    }
  }
  void add_copy(NodeId node, Key key, bool replica, const Seen& seen) {
    NodeCopies& copies = epoch_.nodes[node];
    copies.keys.push_back(static_cast<std::uint32_t>(key));
    copies.replica.push_back(replica);
    copies.seen.insert(copies.seen.end(), seen.begin(), seen.end());
    float total = 0.0F;
    for (const float count : seen) total += count;
    copies.seen.push_back(total);
  }
  NodeCopies& copies(NodeId node) { return epoch_.nodes[node]; }
  WorkerHistory& of_worker(WorkerId worker) { return histories_[worker]; }
  std::uint64_t now() const { return order_; }

  /// Judges the epoch, and begins the next one.
  std::optional<Violation> judged() {
    auto violation = checker_.check(epoch_);
    for (WorkerHistory& history : histories_) {
      history.events.clear();
      history.seen.clear();
      history.complete_until = kNever;
    }
    places_.assign(kWorkers, {});
    return violation;
  }
  std::optional<Violation> settled_and_judged() {
    settle();
    return judged();
  }
  const EpochHistory& epoch() const { return epoch_; }

 private:
  static constexpr WorkerId kWorkers = 3;
  static constexpr Key kKeys = 2;

  struct Place {
    std::uint32_t barriers = 0;
    std::uint32_t steps = 0;
  };

  static Plan plan(const std::vector<Key>& replicated, const std::optional<Clocks>& clocks) {
    Plan plan;
    plan.replicated = replicated;
    plan.clocks = clocks;
    return plan;
  }
  Event begin(WorkerId worker, Key key) {
    Event event;
    event.barriers = places_[worker].barriers;
    event.steps = places_[worker].steps;
    event.key = static_cast<std::uint32_t>(key);
    event.began = ++order_;
    event.began_s = static_cast<double>(order_);
    return event;
  }
  void end(Event& event) {
    event.ended = ++order_;
    event.ended_s = static_cast<double>(order_);
  }
  Seen right(Key key) const {
    Seen seen;
    for (const WorkerHistory& history : histories_) {
      seen.push_back(static_cast<float>(history.pushed[key]));
    }
    return seen;
  }

  std::vector<Key> replicated_;
  Checker checker_;
  std::vector<WorkerHistory> histories_;
  std::vector<Place> places_;
  EpochHistory epoch_;
  std::uint64_t order_ = 0;
};

}  // namespace pslab::checks
