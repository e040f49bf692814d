#include "manager/worker_core.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "manager/node_core.hpp"
#include "manager/values.hpp"

namespace pslab::manager {

using metrics::Time;

/// On the clock of the wall: what passes while it lives counts as `what`. Simulated time is charged
/// instead.
class WorkerCore::Spent {
 public:
  Spent(WorkerCore& worker, Time what)
      : worker_(worker), what_(what), began_(worker.threads_ ? worker.now() : 0.0) {}
  ~Spent() {
    if (worker_.threads_) worker_.ledger_[what_] += worker_.now() - began_;
  }
  Spent(const Spent&) = delete;
  Spent& operator=(const Spent&) = delete;

 private:
  WorkerCore& worker_;
  Time what_;
  double began_;
};

WorkerCore::WorkerCore(NodeCore& node, std::uint32_t local_index)
    : node_(node),
      runtime_(node.runtime().worker(local_index)),
      costs_(node.runtime().costs()),
      local_index_(local_index),
      quantum_(node.runtime().quantum()),
      threads_(node.runtime().threads()) {
  if (threads_) measure_clock();
  if (node.setup().scheme != nullptr) make_sampler();
}

WorkerId WorkerCore::id() const {
  return node_.node() * node_.setup().workers_per_node + local_index_;
}

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

std::uint32_t WorkerCore::pull(std::span<const Key> keys, std::span<float> values) {
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  const bool sampled = starts_sample();
  const double began = sampled ? node_.runtime().now() : 0.0;
  std::size_t offset = 0;
  std::size_t local_floats = 0;
  missing_.clear();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::size_t length = space.length(keys[i]);
    if (shared_memory && pull_here(keys[i], &values[offset], length)) {
      local_floats += length;
    } else {
      missing_.push_back({i, offset});
    }
    offset += length;
  }
  if (sampled) end_sample(began);
  ledger_.accesses += keys.size();
  charge_local(keys.size() - missing_.size(), local_floats);
  const std::uint32_t operation = missing_.empty() ? kNoOperation : pull_missing(keys, values);
  spend_if_due();
  return operation;
}

std::uint32_t WorkerCore::pull_missing(std::span<const Key> keys, std::span<float> values) {
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  settle_debt();
  const Spent spent(*this, Time::kRemoteWait);
  const Inside inside(node_.runtime());
  std::uint32_t operation = kNoOperation;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  for (const auto& [i, offset] : missing_) {
    const Key key = keys[i];
    const std::size_t length = space.length(key);
    const Holding holding = node_.store().find(key);
    if (holding.held() <= Held::kReplica && shared_memory) {
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
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  const bool sampled = starts_sample();
  const double began = sampled ? node_.runtime().now() : 0.0;
  std::size_t offset = 0;
  std::size_t local_floats = 0;
  missing_.clear();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::size_t length = space.length(keys[i]);
    if (shared_memory && push_here(keys[i], &deltas[offset], length)) {
      local_floats += length;
    } else {
      missing_.push_back({i, offset});
    }
    offset += length;
  }
  if (sampled) end_sample(began);
  ledger_.accesses += keys.size();
  charge_local(keys.size() - missing_.size(), local_floats);
  const std::uint32_t operation =
      missing_.empty() ? kNoOperation : push_missing(keys, deltas, acknowledged);
  spend_if_due();
  return operation;
}

std::uint32_t WorkerCore::push_missing(std::span<const Key> keys, std::span<const float> deltas,
                                       bool acknowledged) {
  const KeySpace& space = node_.setup().keys;
  const bool shared_memory = node_.setup().plan.fast_local_access;
  settle_debt();
  const Spent spent(*this, Time::kRemoteWait);
  const Inside inside(node_.runtime());
  std::uint32_t operation = kNoOperation;
  std::size_t local = 0;
  std::size_t local_floats = 0;
  for (const auto& [i, offset] : missing_) {
    const Key key = keys[i];
    const std::size_t length = space.length(key);
    const float* delta = &deltas[offset];
    const Holding holding = node_.store().find(key);
    if (holding.held() <= Held::kReplica && shared_memory) {
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
  spend_if_due();
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
}

void WorkerCore::measure_clock() {
  constexpr int kReadings = 32;
  const double began = node_.runtime().now();
  for (int i = 1; i < kReadings; ++i) node_.runtime().now();
  clock_cost_ = (node_.runtime().now() - began) / kReadings;
}

void WorkerCore::end_sample(double began) {
  const double seconds = node_.runtime().now() - began - clock_cost_;
  ledger_[Time::kLocalAccess] += kCallsPerSample * std::max(0.0, seconds);
}

metrics::WorkerLedger WorkerCore::ledger() const {
  metrics::WorkerLedger ledger = ledger_;
  if (!threads_) return ledger;
  double elsewhere = 0.0;
  for (const double seconds : ledger.seconds) elsewhere += seconds;
  ledger[Time::kCompute] = now() - elsewhere;
  return ledger;
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
  Operation& awaited = operations_.at(operation);
  waiting_for_ = operation;
  wait_until(awaited.reason, [&] { return awaited.remaining == 0; });
  waiting_for_ = kNoOperation;
  const Inside inside(node_.runtime());
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
  {
    const Inside inside(node_.runtime());
    collective.arrive(local_index_, mode, std::move(numbers));
  }
  wait_until(Time::kBarrierWait, [&] { return collective.generation() != generation; });
  return collective.result();
}

std::string WorkerCore::waiting_text() const {
  const std::uint32_t operation = waiting_for_;
  if (operation == kNoOperation) return {};
  return fmt::format("worker {} on node {} waits for {}", id(), node_.node(),
                     operations_.at(operation).text());
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
