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

[[gnu::always_inline]] inline bool WorkerCore::pull_here(Key key, float* to, std::size_t length) {
  const KeyLocks::Guard guard = node_.lock(key);
  const Holding holding = node_.store().find(key);
  if (holding.held() > Held::kReplica) return false;
  copy_value(to, node_.value(key, holding), length);
  return true;
}

[[gnu::always_inline]] inline bool WorkerCore::push_here(Key key, const float* delta,
                                                         std::size_t length) {
  const KeyLocks::Guard guard = node_.lock(key);
  const Holding holding = node_.store().find(key);
  if (holding.held() > Held::kReplica) return false;
  node_.add(key, holding, delta, length);
  return true;
}

bool WorkerCore::pull_one(Key key, float* value) {
  if (!routine() || !pull_here(key, value, space_.length(key))) return false;
  ++ledger_.accesses;
  ++ledger_.local_accesses;
  return true;
}

bool WorkerCore::push_one(Key key, const float* delta) {
  if (!routine() || !push_here(key, delta, space_.length(key))) return false;
  ++ledger_.accesses;
  ++ledger_.local_accesses;
  return true;
}

std::uint32_t WorkerCore::pull(std::span<const Key> keys, std::span<float> values) {
  std::uint32_t position = 0;
  std::size_t offset = 0;
  if (routine()) {
    for (; position < keys.size(); ++position) {
      const std::size_t length = space_.length(keys[position]);
      if (!pull_here(keys[position], &values[offset], length)) break;
      offset += length;
    }
    if (position == keys.size()) {
      ledger_.accesses += keys.size();
      ledger_.local_accesses += keys.size();
      return kNoOperation;
    }
  }
  return pull_generally(keys, values, position, offset);
}

std::uint32_t WorkerCore::pull_generally(std::span<const Key> keys, std::span<float> values,
                                         std::uint32_t position, std::size_t offset) {
  const Sample sample(*this);
  std::size_t local_floats = offset;
  missing_.clear();
  for (; position < keys.size(); ++position) {
    const std::size_t length = space_.length(keys[position]);
    if (shared_memory_ && pull_here(keys[position], &values[offset], length)) {
      local_floats += length;
    } else {
      missing_.push_back({position, offset});
    }
    offset += length;
  }
  sample.end();
  ledger_.accesses += keys.size();
  charge_local(keys.size() - missing_.size(), local_floats);
  const std::uint32_t operation = missing_.empty() ? kNoOperation : pull_missing(keys, values);
  end_call();
  return operation;
}

std::uint32_t WorkerCore::pull_missing(std::span<const Key> keys, std::span<float> values) {
  settle_debt();
  const Spent spent(*this, Time::kRemoteWait);
  const Inside inside(node_.runtime());
  std::uint32_t operation = kNoOperation;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  for (const auto& [i, offset] : missing_) {
    const Key key = keys[i];
    const std::size_t length = space_.length(key);
    const Holding holding = node_.store().find(key);
    if (holding.held() <= Held::kReplica && shared_memory_) {
      pull_here(key, &values[offset], length);
      ++local;
      local_floats += length;
      continue;
    }
    Operation& pending = begin(operation, keys, values.data());
    ++pending.remaining;
    const Asker asker{node_.node(), local_index_, operation, i};
    if (holding.held() == Held::kArriving) {
      node_.queue_access(holding.reference(), {asker, false, false}, nullptr, 0);
      continue;
    }
    const NodeId to = holding.held() == Held::kAbsent ? node_.directory().route(key) : node_.node();
    pending.waits_for(Time::kRemoteWait, key, to);
    const MessageHeader header{.kind = MessageKind::kPull,
                               .origin = asker.origin,
                               .worker = asker.worker,
                               .op = operation};
    outbox_.add(to, header, {static_cast<std::uint32_t>(key), i});
  }
  charge_local(local, local_floats);
  send_all();
  return operation;
}

std::uint32_t WorkerCore::push(std::span<const Key> keys, std::span<const float> deltas,
                               bool acknowledged) {
  std::uint32_t position = 0;
  std::size_t offset = 0;
  if (routine()) {
    for (; position < keys.size(); ++position) {
      const std::size_t length = space_.length(keys[position]);
      if (!push_here(keys[position], &deltas[offset], length)) break;
      offset += length;
    }
    if (position == keys.size()) {
      ledger_.accesses += keys.size();
      ledger_.local_accesses += keys.size();
      return kNoOperation;
    }
  }
  return push_generally(keys, deltas, acknowledged, position, offset);
}

std::uint32_t WorkerCore::push_generally(std::span<const Key> keys, std::span<const float> deltas,
                                         bool acknowledged, std::uint32_t position,
                                         std::size_t offset) {
  const Sample sample(*this);
  std::size_t local_floats = offset;
  missing_.clear();
  for (; position < keys.size(); ++position) {
    const std::size_t length = space_.length(keys[position]);
    if (shared_memory_ && push_here(keys[position], &deltas[offset], length)) {
      local_floats += length;
    } else {
      missing_.push_back({position, offset});
    }
    offset += length;
  }
  sample.end();
  ledger_.accesses += keys.size();
  charge_local(keys.size() - missing_.size(), local_floats);
  const std::uint32_t operation =
      missing_.empty() ? kNoOperation : push_missing(keys, deltas, acknowledged);
  end_call();
  return operation;
}

std::uint32_t WorkerCore::push_missing(std::span<const Key> keys, std::span<const float> deltas,
                                       bool acknowledged) {
  settle_debt();
  const Spent spent(*this, Time::kRemoteWait);
  const Inside inside(node_.runtime());
  std::uint32_t operation = kNoOperation;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  for (const auto& [i, offset] : missing_) {
    const Key key = keys[i];
    const std::size_t length = space_.length(key);
    const float* delta = &deltas[offset];
    const Holding holding = node_.store().find(key);
    if (holding.held() <= Held::kReplica && shared_memory_) {
      push_here(key, delta, length);
      ++local;
      local_floats += length;
      continue;
    }
    const bool arriving = holding.held() == Held::kArriving;
    const NodeId to = holding.held() == Held::kAbsent ? node_.directory().route(key) : node_.node();
    if (acknowledged) {
      Operation& pending = begin(operation, keys, nullptr);
      ++pending.remaining;
      if (!arriving) pending.waits_for(Time::kRemoteWait, key, to);
    }
    const Asker asker{node_.node(), local_index_, operation, i};
    if (arriving) {
      node_.queue_access(holding.reference(), {asker, true, false}, delta, length);
      continue;
    }
    const MessageHeader header{.kind = MessageKind::kPush,
                               .origin = asker.origin,
                               .worker = asker.worker,
                               .op = operation};
    outbox_.add(to, header, {static_cast<std::uint32_t>(key), i}, {delta, length});
    node_.count_pushed(1);
  }
  charge_local(local, local_floats);
  send_all();
  return operation;
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
