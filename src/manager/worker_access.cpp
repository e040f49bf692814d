// A worker's pulls, pushes and localizes: what is here is served at once, the rest is asked for.
#include <algorithm>

#include "manager/node_core.hpp"
#include "manager/values.hpp"
#include "manager/worker_clock.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

using metrics::Time;

Operation& WorkerCore::begin(std::uint32_t& operation, std::span<const Key> keys, float* values) {
  if (operation == kNoOperation) operation = operations_.open(node_.setup().keys, keys, values);
  return operations_.at(operation);
}

// Under the key's lock.
template <typename Floats>
bool WorkerCore::access_copy(Key key, std::uint32_t copy, Floats* floats, std::size_t length) {
  if constexpr (kPushes<Floats>) {
    copies_->add(local_index_, key, copy, floats, length);
  } else {
    if (clocks_ != nullptr && copies_->state(key, copy).stamp < oldest_) return false;
    copy_value(floats, copies_->value(key, copy), length);
  }
  return true;
}

template <typename Floats>
bool WorkerCore::access_here(Key key, Floats* floats, std::size_t length) {
  const KeyLocks::Guard guard = node_.lock(key);
  const Holding holding = node_.store().find(key);
  if (holding.held() > Held::kReplica) return false;
  if (copies_ != nullptr && holding.held() == Held::kReplica) {
    return access_copy(key, holding.reference(), floats, length);
  }
  if constexpr (kPushes<Floats>) {
    node_.add(key, holding, floats, length);
  } else {
    copy_value(floats, node_.value(key, holding), length);
  }
  return true;
}

template <typename Floats>
std::uint32_t WorkerCore::access_generally(std::span<const Key> keys, Floats* floats, bool awaited,
                                           LocalAccess::Served served) {
  const Sample sample(*this);
  auto [position, offset] = served;
  std::size_t local_floats = offset;
  missing_.clear();
  for (; position < keys.size(); ++position) {
    const std::size_t length = space_.length(keys[position]);
    if (shared_memory_ && access_here(keys[position], floats + offset, length)) {
      local_floats += length;
    } else {
      missing_.push_back({static_cast<std::uint32_t>(position), offset});
    }
    offset += length;
  }
  sample.end();
  ledger_.accesses += keys.size();
  charge_local(keys.size() - missing_.size(), local_floats);
  const std::uint32_t operation =
      missing_.empty() ? kNoOperation : access_missing(keys, floats, awaited);
  end_call();
  return operation;
}
template std::uint32_t WorkerCore::access_generally(std::span<const Key>, float*, bool,
                                                    LocalAccess::Served);
template std::uint32_t WorkerCore::access_generally(std::span<const Key>, const float*, bool,
                                                    LocalAccess::Served);

void WorkerCore::pull_several(std::span<const Key> keys, std::span<float> values) {
  wait(pull(keys, values));
}

void WorkerCore::push_several(std::span<const Key> keys, std::span<const float> deltas) {
  push(keys, deltas, false);
}

template <typename Floats>
void WorkerCore::access_one_generally(WorkerCore& worker, const Key* key, Floats* floats) {
  constexpr bool kAwaited = !kPushes<Floats>;
  worker.wait(worker.access_generally({key, 1}, floats, kAwaited, {}));
}
template void WorkerCore::access_one_generally(WorkerCore&, const Key*, float*);
template void WorkerCore::access_one_generally(WorkerCore&, const Key*, const float*);

template <typename Floats>
std::uint32_t WorkerCore::access_missing(std::span<const Key> keys, Floats* floats, bool awaited) {
  constexpr bool kPush = kPushes<Floats>;
  settle_debt();
  const Spent spent(*this, Time::kRemoteWait);
  const Inside inside(node_.runtime());
  std::uint32_t operation = kNoOperation;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  for (const auto& [i, offset] : missing_) {
    const Key key = keys[i];
    const std::size_t length = space_.length(key);
    if (kPush && clocks_ != nullptr && node_.store().find(key).held() == Held::kAbsent) {
      clocks_->make(key);
    }
    const Holding holding = node_.store().find(key);
    if (holding.held() <= Held::kReplica && shared_memory_ &&
        access_here(key, floats + offset, length)) {
      ++local;
      local_floats += length;
      continue;
    }
    const bool arriving = holding.held() == Held::kArriving;
    const NodeId to = clocks_ != nullptr                ? node_.directory().home(key)
                      : holding.held() == Held::kAbsent ? node_.directory().route(key)
                                                        : node_.node();
    if (awaited) {
      float* place = nullptr;
      if constexpr (!kPush) place = floats;
      Operation& pending = begin(operation, keys, place);
      ++pending.remaining;
      if (!arriving) pending.waits_for(Time::kRemoteWait, key, to);
    }
    if (clocks_ != nullptr) {
      const MessageHeader header{.origin = node_.node(), .worker = local_index_, .op = operation};
      clocks_->ask(key, header, i, sync_clock_, outbox_);
      continue;
    }
    std::span<const float> delta;
    if constexpr (kPush) delta = {floats + offset, length};
    const Asker asker{node_.node(), local_index_, operation, i};
    if (arriving) {
      node_.queue_access(holding.reference(), {asker, kPush, false}, delta);
      continue;
    }
    const MessageHeader header{.kind = kPush ? MessageKind::kPush : MessageKind::kPull,
                               .origin = asker.origin,
                               .worker = asker.worker,
                               .op = operation};
    outbox_.add(to, header, {static_cast<std::uint32_t>(key), i}, delta);
    if constexpr (kPush) node_.count_pushed(1);
  }
  charge_local(local, local_floats);
  send_all();
  return operation;
}

void WorkerCore::intent(std::span<const Key> keys, std::uint64_t start, std::uint64_t end) {
  if (end <= clock()) return;
  if (Hubs* hubs = node_.hubs(); hubs != nullptr) {
    hubs->announce(local_index_, keys, start, end);
  } else {
    localize(keys, false);
  }
}

std::uint32_t WorkerCore::localize(std::span<const Key> keys, bool waited_for) {
  const Store& store = node_.store();
  const Strategy& strategy = node_.setup().strategy;
  const auto wanted = [&](Key key) {
    const Held held = store.find(key).held();
    return held == Held::kArriving ? waited_for : held == Held::kAbsent && strategy.relocates(key);
  };
  std::uint32_t operation = kNoOperation;
  if (std::ranges::any_of(keys, wanted)) {
    settle_debt();
    const Spent spent(*this, Time::kRelocationWait);
    const Inside inside(node_.runtime());
    for (const Key key : keys) {
      if (!wanted(key)) continue;
      Holding holding = store.find(key);
      if (holding.held() == Held::kAbsent) {
        holding = Holding(Held::kArriving, node_.request(key, outbox_));
      }
      if (!waited_for) continue;
      Operation& pending = begin(operation, keys, nullptr);
      ++pending.remaining;
      pending.waits_for(Time::kRelocationWait, key, node_.directory().route(key));
      node_.transfers()
          .at(holding.reference())
          .localizers.push_back({node_.node(), local_index_, operation, 0});
    }
    send_all();
  }
  end_call();
  return operation;
}

}  // namespace pslab::manager
