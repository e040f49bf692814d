#include "manager/worker_core.hpp"

#include <stdexcept>

#include "base/error.hpp"
#include "manager/node_core.hpp"
#include "manager/values.hpp"

namespace pslab::manager {

using metrics::Time;

WorkerCore::WorkerCore(NodeCore& node, std::uint32_t local_index)
    : node_(node),
      runtime_(node.runtime().worker(local_index)),
      costs_(node.runtime().costs()),
      local_index_(local_index),
      quantum_(node.runtime().quantum()) {
  if (node.setup().scheme != nullptr) make_sampler();
}

WorkerId WorkerCore::id() const {
  return node_.node() * node_.setup().workers_per_node + local_index_;
}

Operation& WorkerCore::begin(std::uint32_t& operation, std::span<const Key> keys, float* values) {
  if (operation == kNoOperation) operation = operations_.open(node_.setup().keys, keys, values);
  return operations_.at(operation);
}

Holding WorkerCore::find_to_send(Key key, bool& ready) {
  if (!ready) settle_debt();
  ready = true;
  return node_.store().find(key);
}

std::uint32_t WorkerCore::pull(std::span<const Key> keys, std::span<float> values) {
  Store& store = node_.store();
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  std::uint32_t operation = kNoOperation;
  bool ready = false;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  float* to = values.data();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const Key key = keys[i];
    const std::size_t length = space.length(key);
    Holding holding = store.find(key);
    if (holding.held() == Held::kAbsent && !ready) holding = find_to_send(key, ready);
    if (holding.held() <= Held::kReplica && shared_memory) {
      copy_value(to, node_.value(key, holding), length);
      ++local;
      local_floats += length;
    } else {
      Operation& pending = begin(operation, keys, values.data());
      ++pending.remaining;
      const Asker asker{node_.node(), local_index_, operation, i};
      if (holding.held() == Held::kArriving) {
        node_.queue_access(holding.reference(), {asker, false, false}, nullptr, 0);
      } else {
        pending.reason = Time::kRemoteWait;
        const MessageHeader header{.kind = MessageKind::kPull,
                                   .origin = asker.origin,
                                   .worker = asker.worker,
                                   .op = operation};
        const NodeId to_node =
            holding.held() == Held::kAbsent ? node_.directory().route(key) : node_.node();
        outbox_.add(to_node, header, {static_cast<std::uint32_t>(key), i});
      }
    }
    to += length;
  }
  ledger_.accesses += keys.size();
  charge_local(local, local_floats);
  send_all();
  return operation;
}

std::uint32_t WorkerCore::push(std::span<const Key> keys, std::span<const float> deltas,
                               bool acknowledged) {
  Store& store = node_.store();
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  std::uint32_t operation = kNoOperation;
  bool ready = false;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  const float* delta = deltas.data();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const Key key = keys[i];
    const std::size_t length = space.length(key);
    Holding holding = store.find(key);
    if (holding.held() == Held::kAbsent && !ready) holding = find_to_send(key, ready);
    if (holding.held() <= Held::kReplica && shared_memory) {
      node_.add(key, holding, delta, length);
      ++local;
      local_floats += length;
    } else {
      if (acknowledged) {
        Operation& pending = begin(operation, keys, nullptr);
        ++pending.remaining;
        if (holding.held() != Held::kArriving) pending.reason = Time::kRemoteWait;
      }
      const Asker asker{node_.node(), local_index_, operation, i};
      if (holding.held() == Held::kArriving) {
        node_.queue_access(holding.reference(), {asker, true, false}, delta, length);
      } else {
        const MessageHeader header{.kind = MessageKind::kPush,
                                   .origin = asker.origin,
                                   .worker = asker.worker,
                                   .op = operation};
        const NodeId to_node =
            holding.held() == Held::kAbsent ? node_.directory().route(key) : node_.node();
        outbox_.add(to_node, header, {static_cast<std::uint32_t>(key), i}, {delta, length});
        node_.count_pushed(1);
      }
    }
    delta += length;
  }
  ledger_.accesses += keys.size();
  charge_local(local, local_floats);
  send_all();
  return operation;
}

std::uint32_t WorkerCore::localize(std::span<const Key> keys, bool waited_for) {
  Store& store = node_.store();
  const Strategy& strategy = node_.setup().strategy;
  std::uint32_t operation = kNoOperation;
  bool ready = false;
  for (const Key key : keys) {
    Holding holding = store.find(key);
    if (holding.held() <= Held::kReplica) continue;
    if (holding.held() == Held::kAbsent) {
      if (!strategy.relocates(key)) continue;
      if (!ready) holding = find_to_send(key, ready);
    }
    if (holding.held() <= Held::kReplica) continue;
    if (holding.held() == Held::kAbsent) {
      holding = Holding(Held::kArriving, node_.request(key, outbox_));
    }
    if (!waited_for) continue;
    ++begin(operation, keys, nullptr).remaining;
    node_.transfers()
        .at(holding.reference())
        .localizers.push_back({node_.node(), local_index_, operation, 0});
  }
  send_all();
  return operation;
}

void WorkerCore::prefetch(Key key) const {
  const Holding holding = node_.store().find(key);
  if (holding.held() > Held::kReplica) return;
  constexpr std::size_t kCacheLine = 64 / sizeof(float);
  const float* value = node_.value(key, holding);
  const std::size_t length = node_.setup().keys.length(key);
  for (std::size_t i = 0; i < length; i += kCacheLine) __builtin_prefetch(value + i);
}

void WorkerCore::charge_local(std::size_t keys, std::size_t floats) {
  if (keys == 0) return;
  ledger_.local_accesses += keys;
  charge(Time::kLocalAccess, static_cast<double>(keys) * costs_.local_access +
                                 static_cast<double>(floats * sizeof(float)) * costs_.local_byte);
}

// The messages of a call leave one after the other, each when the worker has done the work of
// sending it.
void WorkerCore::send_all() {
  if (!outbox_.empty()) {
    double sending = 0.0;
    outbox_.flush([&](NodeId to, Message message) {
      sending += costs_.send_message + static_cast<double>(message.size()) * costs_.message_byte;
      node_.transmit(to, std::move(message), sending);
    });
    charge(Time::kRemoteWait, sending);
  }
  spend_if_due();
}

void WorkerCore::settle_debt() {
  const double debt = debt_;
  debt_ = 0.0;
  if (debt > 0.0) runtime_.spend(debt);
}

template <typename Done>
void WorkerCore::wait_until(Time reason, Done done) {
  if (done()) return;
  settle_debt();
  const double began = node_.runtime().now();
  while (!done()) {
    const double late = runtime_.wait();
    ledger_[reason] += late;
    debt_ += late;
  }
  ledger_[reason] += node_.runtime().now() - began;
}

void WorkerCore::wait(std::uint32_t operation) {
  if (operation == kNoOperation) return;
  waiting_for_ = operation;
  wait_until(operations_.at(operation).reason,
             [&] { return operations_.at(operation).remaining == 0; });
  waiting_for_ = kNoOperation;
  operations_.close(operation);
}

void WorkerCore::answered(std::uint32_t operation, std::uint32_t tag,
                          std::span<const float> value) {
  copy_value(operations_.at(operation).place(tag), value.data(), value.size());
  completed(operation);
}

void WorkerCore::completed(std::uint32_t operation) {
  if (--operations_.at(operation).remaining == 0 && waiting_for_ == operation) runtime_.notify();
}

std::shared_ptr<const std::vector<double>> WorkerCore::gather(Gather mode,
                                                              std::vector<double> numbers) {
  Collective& collective = node_.collective();
  settle_debt();
  const std::uint64_t generation = collective.generation();
  collective.arrive(local_index_, mode, std::move(numbers));
  wait_until(Time::kBarrierWait, [&] { return collective.generation() != generation; });
  return collective.result();
}

std::string WorkerCore::waiting_text() const {
  if (waiting_for_ == kNoOperation) return {};
  return fmt::format("worker {} on node {} waits for {} key(s)", id(), node_.node(),
                     operations_.at(waiting_for_).remaining);
}

void WorkerCore::compute(double flops) {
  charge(Time::kCompute, costs_.step + flops * costs_.flop);
  spend_if_due();
}

double WorkerCore::now() const {
  return node_.runtime().now() + debt_;
}

void WorkerCore::make_sampler() {
  const Setup& setup = node_.setup();
  sampler_ = setup.scheme->make_sampler();
  sampling_random_ = std::make_unique<Random>(setup.seed, "sampling", id());
  sampling_.draw = setup.draw_sample;
  sampling_.is_local = [this](Key key) { return node_.store().find(key).held() <= Held::kReplica; };
  sampling_.localize = [this](std::span<const Key> keys) { localize(keys, false); };
}

void WorkerCore::prepare_sample(std::size_t n) {
  if (sampler_ == nullptr) throw std::logic_error("this workload declares no sample distribution");
  sampler_->prepare(sampling_, n, *sampling_random_);
}

void WorkerCore::pull_sample(std::span<Key> keys, std::span<float> values) {
  if (sampler_ == nullptr) throw std::logic_error("this workload declares no sample distribution");
  sampler_->pull(sampling_, keys, *sampling_random_);
  wait(pull(keys, values));
}

}  // namespace pslab::manager
