#include "checks/key_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "checks/clock_time.hpp"
#include "checks/history_text.hpp"

namespace pslab::checks {

namespace {

bool is_pull(const Access& access) {
  return access.seen != nullptr;
}

float sum(std::span<const float> counters) {
  float total = 0.0F;
  for (const float count : counters) total += count;
  return total;
}

}  // namespace

/// What a pull must see at least, and because of which earlier access.
struct KeyCheck::Bounds {
  explicit Bounds(std::size_t workers) : least(workers, 0.0F), source(workers, nullptr) {}
  void raise(WorkerId worker, float count, const Access& because) {
    if (count <= least[worker]) return;
    least[worker] = count;
    source[worker] = &because;
  }
  std::vector<float> least;
  std::vector<const Access*> source;
};

KeyCheck::KeyCheck(const EpochHistory& history, Key key, std::span<const Access> accesses,
                   std::span<const std::uint32_t> settled, const Promises& promises)
    : history_(history),
      key_(key),
      workers_(static_cast<WorkerId>(history.workers.size())),
      settled_(settled),
      promises_(promises),
      linearizable_(promises.guarantees.linearizable && !promises.replicated),
      accesses_(accesses.begin(), accesses.end()),
      pushes_(history.workers.size()) {
  std::ranges::stable_sort(accesses_, {}, [](const Access& access) {
    return std::pair(access.process, access.event->began);
  });
  for (const Access& access : accesses_) {
    if (!is_pull(access)) pushes_[access.worker].push_back(access.event);
  }
}

void KeyCheck::found(Rule rule, const Access& pull, std::vector<WorkerId> others,
                     std::string what) {
  if (first_ && first_->time_s <= pull.event->ended_s) return;
  others.push_back(pull.worker);
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  first_ = Violation{rule, key_, pull.event->ended_s,
                     fmt::format("worker {}'s pull {}", pull.worker, what), std::move(others)};
}

std::optional<Violation> KeyCheck::first_violation() {
  for (const Access& access : accesses_) {
    if (is_pull(access)) check_alone(access);
  }
  for (auto begin = accesses_.begin(); begin != accesses_.end();) {
    const auto end = std::find_if(begin, accesses_.end(), [&](const Access& access) {
      return access.process != begin->process;
    });
    check_against_earlier({begin, end});
    begin = end;
  }
  if (linearizable_) check_one_order();
  return std::move(first_);
}

// The most pushes of a worker that a pull may have seen.
std::uint32_t KeyCheck::most_pushes(const Access& pull, WorkerId by) const {
  if (by == pull.worker) return pull.event->own_after;
  const WorkerHistory& other = *history_.workers[by];
  const bool known =
      history_.process_of(by) == pull.process && pull.event->ended <= other.complete_until;
  if (!known) return other.pushed[key_];
  const auto before = std::ranges::lower_bound(pushes_[by], pull.event->ended, {}, &Event::began);
  return settled_[by] + static_cast<std::uint32_t>(before - pushes_[by].begin());
}

void KeyCheck::check_alone(const Access& pull) {
  const Event& event = *pull.event;
  if (event.evaluating) return check_evaluation(pull);
  check_whole(pull);
  for (WorkerId by = 0; by < workers_; ++by) {
    const float seen = pull.seen[by];
    const std::uint32_t most = most_pushes(pull, by);
    if (seen > static_cast<float>(most)) {
      found(Rule::kNothingInvented, pull, {by},
            fmt::format("saw {} pushes of worker {}, who had made {}", seen, by, most));
    }
    if (seen < static_cast<float>(settled_[by])) {
      found(Rule::kSettled, pull, {by},
            fmt::format("saw {} pushes of worker {}; in earlier epochs it had made {}", seen, by,
                        settled_[by]));
    }
  }
  const float own = pull.seen[pull.worker];
  if (promises_.clocks) check_staleness(pull);
  if (promises_.guarantees.reads_own_writes && own < static_cast<float>(event.own_before)) {
    found(Rule::kReadsOwnWrites, pull, {},
          fmt::format("saw {} of its own pushes; it had made {} before", own, event.own_before));
  }
}

// Workers whose memory was full have fewer events than pushes, and the bound asks for less.
void KeyCheck::check_staleness(const Access& pull) {
  const Clocks& clocks = *promises_.clocks;
  const ClockTime now = clock_of(*pull.event, clocks);
  const ClockTime bound = oldest_missed(now, clocks);
  for (WorkerId by = 0; by < workers_; ++by) {
    if (by == pull.worker) continue;
    const auto before = std::ranges::partition_point(
        pushes_[by], [&](const Event* push) { return clock_of(*push, clocks) < bound; });
    const auto least = settled_[by] + static_cast<std::uint32_t>(before - pushes_[by].begin());
    if (pull.seen[by] >= static_cast<float>(least)) continue;
    found(Rule::kStaleness, pull, {by},
          fmt::format("at {} saw {} pushes of worker {}, who had made {} before its {}; the "
                      "staleness is at most {}",
                      clock_text(now), pull.seen[by], by, least, clock_text(bound),
                      clocks.staleness));
  }
}

void KeyCheck::check_evaluation(const Access& pull) {
  for (WorkerId by = 0; by < workers_; ++by) {
    const std::uint32_t pushed = history_.workers[by]->pushed[key_];
    if (pull.seen[by] == static_cast<float>(pushed)) continue;
    found(Rule::kEvaluation, pull, {by},
          fmt::format("saw {} pushes of worker {}, who had made {}, though all updates had been "
                      "brought home and every copy was right",
                      pull.seen[by], by, pushed));
  }
  check_whole(pull);
}

void KeyCheck::check_whole(const Access& pull) {
  const std::span<const float> counters(pull.seen, workers_);
  const bool counts = std::ranges::all_of(counters, [](float count) {
    return count >= 0.0F && count <= static_cast<float>(kMostPushes) && std::trunc(count) == count;
  });
  if (counts && sum(counters) == pull.seen[workers_]) return;
  found(Rule::kWholeValues, pull, {},
        fmt::format("saw {} by the counters at the front of the value, {} pushes by the one at its "
                    "end: it is of no one state",
                    pushes_text(counters), pull.seen[workers_]));
}

void KeyCheck::check_against_earlier(std::span<const Access> of_process) {
  std::vector<const Access*> ended;
  for (const Access& access : of_process) {
    if (access.event->ended != kNever && !access.event->evaluating) ended.push_back(&access);
  }
  std::ranges::sort(ended, {}, [](const Access* access) { return access->event->ended; });
  Bounds all(workers_);
  std::map<WorkerId, Bounds> own;
  std::vector<float> acknowledged(settled_.begin(), settled_.end());
  auto next = ended.begin();
  for (const Access& pull : of_process) {
    if (!is_pull(pull) || pull.event->evaluating) continue;
    for (; next != ended.end() && (*next)->event->ended < pull.event->began; ++next) {
      const Access& earlier = **next;
      if (!is_pull(earlier)) {
        all.raise(earlier.worker, ++acknowledged[earlier.worker], earlier);
        continue;
      }
      Bounds& of_reader = own.try_emplace(earlier.worker, workers_).first->second;
      for (WorkerId by = 0; by < workers_; ++by) {
        of_reader.raise(by, earlier.seen[by], earlier);
        all.raise(by, earlier.seen[by], earlier);
      }
    }
    const auto reader = own.find(pull.worker);
    if (reader != own.end() && promises_.guarantees.monotonic_reads) {
      check_bounds(pull, reader->second, Rule::kMonotonicReads);
    }
    if (linearizable_) check_bounds(pull, all, Rule::kRealTime);
  }
}

void KeyCheck::check_bounds(const Access& pull, const Bounds& bounds, Rule rule) {
  for (WorkerId by = 0; by < workers_; ++by) {
    if (pull.seen[by] >= bounds.least[by]) continue;
    const Access& earlier = *bounds.source[by];
    const std::string because =
        is_pull(earlier)
            ? fmt::format("a pull of worker {} that had ended before, at {:.9f} s, saw {}",
                          earlier.worker, earlier.event->ended_s, bounds.least[by])
            : fmt::format("{} had been acknowledged before, at {:.9f} s", bounds.least[by],
                          earlier.event->ended_s);
    found(rule, pull, {by, earlier.worker},
          fmt::format("saw {} pushes of worker {}; {}", pull.seen[by], by, because));
    return;
  }
}

// Ordered by how many pushes they saw, each must contain the one before.
void KeyCheck::check_one_order() {
  std::vector<std::pair<float, const Access*>> pulls;
  for (const Access& access : accesses_) {
    if (is_pull(access)) pulls.emplace_back(sum({access.seen, workers_}), &access);
  }
  std::ranges::stable_sort(pulls, {}, [](const auto& pull) { return pull.first; });
  for (std::size_t i = 1; i < pulls.size(); ++i) {
    const Access* one = pulls[i - 1].second;
    const Access* other = pulls[i].second;
    for (WorkerId by = 0; by < workers_; ++by) {
      if (one->seen[by] <= other->seen[by]) continue;
      if (one->event->ended_s > other->event->ended_s) std::swap(one, other);
      found(Rule::kOneOrder, *other, {one->worker},
            fmt::format("saw {}, that of worker {} until {:.9f} s saw {}: neither can have come "
                        "first",
                        pushes_text({other->seen, workers_}), one->worker, one->event->ended_s,
                        pushes_text({one->seen, workers_})));
      break;
    }
  }
}

}  // namespace pslab::checks
