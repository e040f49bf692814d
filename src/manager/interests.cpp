#include "manager/interests.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace pslab::manager {

namespace {
/// Heaps with the smallest number on top.
template <typename Intents>
void push(Intents& heap, typename Intents::value_type intent, auto number) {
  heap.push_back(std::move(intent));
  std::ranges::push_heap(heap, std::greater{}, number);
}
template <typename Intents>
typename Intents::value_type pop(Intents& heap, auto number) {
  std::ranges::pop_heap(heap, std::greater{}, number);
  auto intent = std::move(heap.back());
  heap.pop_back();
  return intent;
}
}  // namespace

Interests::Interests(std::uint32_t workers) {
  for (std::uint32_t i = 0; i < workers; ++i) workers_.push_back(std::make_unique<Worker>());
}

void Interests::announce(std::uint32_t worker, std::span<const Key> keys, std::uint64_t start,
                         std::uint64_t end) {
  if (keys.empty() || start >= end) return;
  const std::scoped_lock lock(workers_[worker]->mutex);
  workers_[worker]->announced.push_back({start, end, {keys.begin(), keys.end()}});
}

void Interests::act(std::span<const std::uint64_t> clocks, const Strategy& strategy,
                    std::vector<Key>& begun, std::vector<Key>& ended) {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = *workers_[i];
    {
      const std::scoped_lock lock(worker.mutex);
      for (Intent& intent : worker.announced) {
        push(worker.waiting, std::move(intent), &Intent::start);
      }
      worker.announced.clear();
    }
    const std::uint64_t clock = clocks[i];
    const std::uint64_t window =
        strategy.action_window(clock - std::exchange(worker.clock, clock), worker.expected);
    const std::uint64_t horizon =
        clock + std::min(window, std::numeric_limits<std::uint64_t>::max() - clock);
    while (!worker.waiting.empty() && worker.waiting.front().start <= horizon) {
      Intent intent = pop(worker.waiting, &Intent::start);
      if (intent.end <= clock) continue;
      begin(intent, begun);
      push(worker.active, std::move(intent), &Intent::end);
    }
    while (!worker.active.empty() && worker.active.front().end <= clock) {
      end(pop(worker.active, &Intent::end), ended);
    }
  }
}

void Interests::begin(const Intent& intent, std::vector<Key>& begun) {
  for (const Key key : intent.keys) {
    const std::uint32_t others = active_.contains(key) ? active_.find(key) : 0;
    if (others == 0) begun.push_back(key);
    active_.set(key, others + 1);
  }
}

void Interests::end(const Intent& intent, std::vector<Key>& ended) {
  for (const Key key : intent.keys) {
    const std::uint32_t others = active_.find(key) - 1;
    if (others > 0) {
      active_.set(key, others);
      continue;
    }
    active_.erase(key);
    ended.push_back(key);
  }
}

void Interests::cancel(std::vector<Key>& ended) {
  for (const auto& worker : workers_) {
    const std::scoped_lock lock(worker->mutex);
    worker->announced.clear();
    worker->waiting = {};
    worker->active = {};
  }
  active_.for_each([&](Key key, std::uint32_t /*intents*/) { ended.push_back(key); });
  active_ = {};
}

}  // namespace pslab::manager
