#include "checks/recorder.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "manager/worker_core.hpp"

namespace pslab::checks {

using manager::WorkerCore;

Recorder::Recorder(Counters counters, const KeySpace& keys, std::atomic<std::uint64_t>& order,
                   WorkerId worker, std::uint64_t most_bytes)
    : counters_(counters), keys_(keys), order_(order), worker_(worker), most_bytes_(most_bytes) {
  history_.pushed.assign(keys.size(), 0);
}

void Recorder::begin_epoch(const WorkerCore& core) {
  barriers_ = 0;
  last_barrier_ = core.clock();
  evaluating_ = false;
  bytes_ = 0;
  history_.events.clear();
  history_.seen.clear();
  history_.complete_until = kNever;
  history_.pulls = 0;
  history_.pushes = 0;
  history_.dropped = 0;
}

bool Recorder::has_room(bool pull, std::uint64_t order) {
  const std::uint64_t size = sizeof(Event) + (pull ? counters_.extra() * sizeof(float) : 0);
  if (history_.dropped == 0 && bytes_ + size <= most_bytes_) {
    bytes_ += size;
    return true;
  }
  if (history_.dropped++ == 0) history_.complete_until = order;
  return false;
}

Recorder::Call Recorder::begin(WorkerCore& core, Event::Kind kind) {
  Call call;
  call.event.kind = kind;
  call.event.evaluating = evaluating_;
  call.event.began = ++order_;
  call.event.began_s = core.now();
  call.event.barriers = barriers_;
  call.event.steps = static_cast<std::uint32_t>(core.clock() - last_barrier_);
  return call;
}

void Recorder::note_own(Call& call, std::span<const Key> keys) {
  for (const Key key : keys) call.own_before.push_back(history_.pushed[key]);
}

std::uint32_t Recorder::pull(WorkerCore& core, std::span<const Key> keys, std::span<float> values) {
  Call call = begin(core, Event::Kind::kPull);
  call.keys = keys;
  call.values = values;
  note_own(call, keys);
  call.stored.resize(values.size() + keys.size() * counters_.extra());
  const std::uint32_t operation = core.pull(keys, call.stored);
  if (operation == WorkerCore::kNoOperation) {
    end(core, call);
  } else {
    open_.emplace(operation, std::move(call));  // the floats stay where they are
  }
  return operation;
}

std::uint32_t Recorder::push(WorkerCore& core, std::span<const Key> keys,
                             std::span<const float> deltas, bool acknowledged) {
  if (evaluating_) throw std::logic_error("a workload must not push while it evaluates");
  Call call = begin(core, Event::Kind::kPush);
  call.first_event = history_.events.size();
  deltas_.clear();
  for (const Key key : keys) {
    const std::size_t begin = deltas_.size();
    deltas_.resize(begin + keys_.length(key), 0.0F);
    const std::span<float> stored = std::span(deltas_).subspan(begin);
    const std::span<float> task = counters_.task_part(stored);
    std::copy_n(deltas.begin(), task.size(), task.begin());
    deltas = deltas.subspan(task.size());
    stored[worker_] = 1.0F;
    stored.back() = 1.0F;
    ++history_.pushes;
    call.event.key = static_cast<std::uint32_t>(key);
    call.event.own_before = history_.pushed[key]++;
    if (has_room(false, call.event.began)) history_.events.push_back(call.event);
  }
  call.num_events = history_.events.size() - call.first_event;
  const std::uint32_t operation = core.push(keys, deltas_, acknowledged);
  if (!acknowledged) return operation;
  if (operation == WorkerCore::kNoOperation) {
    end(core, call);
  } else {
    open_.emplace(operation, std::move(call));
  }
  return operation;
}

void Recorder::pull_now(WorkerCore& core, std::span<const Key> keys, std::span<float> values) {
  wait(core, pull(core, keys, values));
}

void Recorder::push_now(WorkerCore& core, std::span<const Key> keys,
                        std::span<const float> deltas) {
  push(core, keys, deltas, false);
}

void Recorder::wait(WorkerCore& core, std::uint32_t operation) {
  core.wait(operation);
  const auto open = open_.find(operation);
  if (open == open_.end()) return;
  end(core, open->second);
  open_.erase(open);
}

void Recorder::pull_sample(WorkerCore& core, std::span<Key> keys, std::span<float> values) {
  Call call = begin(core, Event::Kind::kPull);
  call.stored.resize(values.size() + keys.size() * counters_.extra());
  core.pull_sample(keys, call.stored);
  call.keys = keys;
  call.values = values;
  note_own(call, keys);
  end(core, call);
}

void Recorder::barrier(WorkerCore& core) {
  core.gather(manager::Gather::kBarrier, {});
  ++barriers_;
  last_barrier_ = core.clock();
}

void Recorder::end(WorkerCore& core, Call& call) {
  call.event.ended = ++order_;
  call.event.ended_s = core.now();
  if (call.event.kind == Event::Kind::kPull) {
    take_pulled(call);
    return;
  }
  for (Event& event : std::span(history_.events).subspan(call.first_event, call.num_events)) {
    event.ended = call.event.ended;
    event.ended_s = call.event.ended_s;
  }
}

void Recorder::take_pulled(Call& call) {
  std::span<const float> stored = call.stored;
  std::span<float> values = call.values;
  for (std::size_t i = 0; i < call.keys.size(); ++i) {
    const Key key = call.keys[i];
    const std::span<const float> one = stored.first(keys_.length(key));
    const std::span<const float> task = counters_.task_part(one);
    std::copy(task.begin(), task.end(), values.begin());
    stored = stored.subspan(one.size());
    values = values.subspan(task.size());
    ++history_.pulls;
    call.event.key = static_cast<std::uint32_t>(key);
    call.event.own_before = call.own_before[i];
    call.event.own_after = history_.pushed[key];
    call.event.seen = history_.seen.size();
    if (!has_room(true, call.event.began)) continue;
    history_.events.push_back(call.event);
    counters_.append(history_.seen, one);
  }
}

}  // namespace pslab::checks
