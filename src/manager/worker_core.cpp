#include "manager/worker_core.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "manager/node_core.hpp"
#include "manager/values.hpp"

namespace pslab::manager {

using metrics::Time;

void WorkerCore::end_call() {
  if (debt_ >= quantum_) settle_debt();
  if (!threads_ || countdown_ != 0) return;
  countdown_ = kCallsPerSample;
  runtime_.poll();
}

WorkerCore::WorkerCore(NodeCore& node, std::uint32_t local_index)
    : node_(node),
      runtime_(node.runtime().worker(local_index)),
      costs_(node.runtime().costs()),
      bytes_per_float_(sizeof(float) * node.setup().keys.represents()),
      local_index_(local_index),
      quantum_(node.runtime().quantum()),
      copies_(node.copies()),
      clocks_(node.clocks()),
      threads_(node.runtime().threads()),
      space_(node.setup().keys),
      shared_memory_(node.setup().plan.fast_local_access) {
  if (const auto& clocks = node.setup().start->clocks; !clocks.empty()) clock_ = clocks.at(id());
  if (clocks_ != nullptr) {
    steps_left_ = clocks_->options().steps_per_clock;
    sync_clock_ = ClockSync::kFirst;
    oldest_ = clocks_->oldest_for(sync_clock_);
  }
  if (threads_) measure_clock();
  if (threads_ && shared_memory_) {
    one_ = local_.emplace(node).one();
    local_->read_copies_since(oldest_);
  }
  if (node.setup().scheme != nullptr) make_sampler();
}

WorkerId WorkerCore::id() const {
  return node_.node() * node_.setup().workers_per_node + local_index_;
}

void WorkerCore::prefetch(Key key) const {
  node_.prefetch(key);
}

void WorkerCore::charge_local(std::size_t keys, std::size_t floats) {
  if (keys == 0) return;
  ledger_.local_accesses += keys;
  charge(Time::kLocalAccess,
         static_cast<double>(keys) * costs_.local_access +
             static_cast<double>(floats * bytes_per_float_) * costs_.local_byte);
}

// The messages of a call leave one after the other, each when the worker has done the work of
// sending it.
void WorkerCore::send_all() {
  if (!outbox_.empty()) {
    double sending = 0.0;
    outbox_.flush([&](NodeId to, Message message) {
      sending = node_.transmit_for_worker(to, std::move(message), sending);
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
    const double late = runtime_.wait(reason != Time::kBarrierWait);
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
}

void WorkerCore::completed(std::uint32_t operation, std::uint32_t keys) {
  const bool all = operations_.at(operation).remaining.fetch_sub(keys) == keys;
  if (all && waiting_for_ == operation) runtime_.notify();
}

std::shared_ptr<const std::vector<double>> WorkerCore::gather(Gather mode,
                                                              std::vector<double> numbers) {
  settle_debt();
  if (clocks_ != nullptr) set_sync_clock(ClockSync::next_generation(sync_clock_));
  meet(mode, std::move(numbers));
  if (clocks_ != nullptr) wait_for_others();
  return node_.collective().result();
}

void WorkerCore::meet(Gather mode, std::vector<double> numbers) {
  Collective& collective = node_.collective();
  const std::uint64_t generation = collective.generation();
  {
    const Inside inside(node_.runtime());
    collective.arrive(local_index_, mode, std::move(numbers));
  }
  wait_until(Time::kBarrierWait, [&] { return collective.generation() != generation; });
}

void WorkerCore::advance_sync_clock() {
  set_sync_clock(sync_clock_ + 1);
  wait_for_others();
}

void WorkerCore::set_sync_clock(std::uint64_t clock) {
  settle_debt();
  sync_clock_ = clock;
  oldest_ = clocks_->oldest_for(clock);
  if (local_) local_->read_copies_since(oldest_);
  steps_left_ = clocks_->options().steps_per_clock;
  const Inside inside(node_.runtime());
  clocks_->advance(local_index_, clock, outbox_);
  send_all();
  // Last: in simulated time whom it wakes may go on at once.
  clocks_->wake();
}

void WorkerCore::wait_for_others() {
  wait_until(Time::kBarrierWait, [&] { return clocks_->may_go_on(sync_clock_); });
}

std::string WorkerCore::waiting_text() const {
  const std::uint32_t operation = waiting_for_;
  if (operation == kNoOperation) {
    if (clocks_ == nullptr || clocks_->may_go_on(sync_clock_)) return {};
    return fmt::format("worker {} on node {} waits for slower workers", id(), node_.node());
  }
  if (operations_.at(operation).remaining == 0) return {};  // it is about to go on
  return fmt::format("worker {} on node {} waits for {}", id(), node_.node(),
                     operations_.at(operation).text());
}

void WorkerCore::compute(double flops) {
  if (threads_) return;
  charge(Time::kCompute, costs_.step + flops * costs_.flop);
  if (debt_ >= quantum_) settle_debt();
}

double WorkerCore::now() const {
  return node_.runtime().now() + debt_;
}

void WorkerCore::make_sampler() {
  const Setup& setup = node_.setup();
  sampler_ = setup.scheme->make_sampler();
  const std::string purpose = setup.start->epochs == 0
                                  ? "sampling"
                                  : fmt::format("sampling after epoch {}", setup.start->epochs);
  sampling_random_ = std::make_unique<Random>(setup.seed, purpose, id());
  sampling_.draw = setup.draw_sample;
  sampling_.is_local = [this](Key key) { return node_.store().find(key).held() <= Held::kReplica; };
  sampling_.is_replicated = [this](Key key) {
    return node_.store().find(key).held() == Held::kReplica;
  };
  sampling_.localize = [this](std::span<const Key> keys) { localize(keys, false); };
  sampling_.announce = [this](std::span<const Key> keys) {
    intent(keys, samples_start_, samples_end_);
  };
  sampling_.keys = &setup.keys;
  sampling_.nodes = node_.num_nodes();
  recent_pulls_ = setup.scheme->recent_pulls();
  if (recent_pulls_ == 0) return;
  one_.pull = [](WorkerCore& worker, const Key* key, float* value) {
    worker.pull_several({key, 1}, {value, worker.space_.length(*key)});
  };
}

void WorkerCore::remember(std::span<const Key> keys) {
  std::vector<Key>& recent = sampling_.recent;
  for (const Key key : keys) {
    if (recent.size() < recent_pulls_) {
      recent.push_back(key);
    } else {
      recent[oldest_pull_] = key;
      oldest_pull_ = (oldest_pull_ + 1) % recent_pulls_;
    }
  }
}

void WorkerCore::prepare_sample(std::size_t n, std::uint64_t start, std::uint64_t end) {
  if (sampler_ == nullptr) throw std::logic_error("this workload declares no sample distribution");
  samples_start_ = start;
  samples_end_ = end;
  sampler_->prepare(sampling_, n, *sampling_random_);
}

void WorkerCore::pull_sample(std::span<Key> keys, std::span<float> values) {
  if (sampler_ == nullptr) throw std::logic_error("this workload declares no sample distribution");
  samples_start_ = clock();
  samples_end_ = samples_start_ + 1;
  sampler_->pull(sampling_, keys, *sampling_random_);
  wait(access(std::span<const Key>(keys), values.data(), true));
}

}  // namespace pslab::manager
