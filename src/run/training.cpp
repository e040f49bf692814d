#include "run/training.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "run/memory.hpp"
#include "run/run_result.hpp"
#include "run/snapshot.hpp"

namespace pslab::run {

namespace {

using manager::Gather;
using manager::WorkerCore;

}  // namespace

Training::Training(Experiment& experiment, std::function<void(const EpochRecord&)> on_epoch,
                   std::function<void(const std::string&)> log,
                   std::function<void(const std::string&)> last_words, Checkpointing checkpointing)
    : experiment_(experiment),
      on_epoch_(std::move(on_epoch)),
      log_(std::move(log)),
      last_words_(std::move(last_words)),
      keys_(experiment.workload->keys()),
      plan_(make_plan()),
      observation_(experiment, keys_, plan_),
      checkpointing_(std::move(checkpointing)) {
  const ClusterSpec& cluster = experiment.cluster;
  if (keys_.represents() > 1 && experiment.backend_name != "sim") {
    fail_input(
        "the workload stores one of each {} floats, but backend: {} sends what is stored: its "
        "times would not be those of whole values. Use backend: sim",
        keys_.represents(), experiment.backend_name);
  }
  if (experiment.checks.history) prepare_history_check();
  setup_ = std::make_unique<manager::Setup>(manager::Setup{
      stored_keys(), plan_, *experiment.strategy, cluster.workers_per_node,
      [this](Key key, std::span<float> value) { initial_value(key, value); },
      [this](const std::vector<std::vector<double>>& numbers) { return fold(numbers); },
      [this](const std::vector<double>& result) { epoch_ended(result); }, cluster.seed, nullptr,
      experiment.workload->sample_distribution(), &start_});
  if (setup_->draw_sample) setup_->scheme = experiment.scheme.get();
  nodes_.resize(cluster.nodes);
  meetings_.resize(cluster.nodes);
  began_with_.resize(cluster.nodes);
  if (checkpointing_.from == nullptr) return;
  go_on_from(checkpointing_.from);
  epoch_ = start_.epochs;
  time_ = checkpoint_->head().time_s;
  experiment.workload->restore(checkpoint_->head().workload_state);
}

Plan Training::make_plan() {
  const ClusterSpec& cluster = experiment_.cluster;
  std::vector<float> direct_accesses;
  std::vector<float> sample_accesses;
  bool direct_known = false;
  bool sample_known = false;
  const Task task{keys_,
                  cluster.nodes,
                  cluster.workers_per_node,
                  [&]() -> const std::vector<float>& {
                    if (!direct_known) direct_accesses = experiment_.workload->direct_accesses();
                    direct_known = true;
                    return direct_accesses;
                  },
                  [&]() -> const std::vector<float>& {
                    if (!sample_known) sample_accesses = experiment_.workload->sample_accesses();
                    sample_known = true;
                    return sample_accesses;
                  },
                  [&](NodeId node) { return experiment_.workload->node_accesses(node); },
                  [&](const std::string& line) { log_(line + "\n"); }};
  Plan plan;
  experiment_.strategy->plan(task, plan);
  return plan;
}

Training::~Training() = default;

std::uint64_t Training::bytes_of_checks() const {
  if (!experiment_.checks.history) return 0;
  const WorkerId workers = experiment_.cluster.nodes * experiment_.cluster.workers_per_node;
  return checks::HistoryCheck::bytes(keys_, workers) + experiment_.checks.history_memory;
}

void Training::prepare_history_check() {
  const ClusterSpec& cluster = experiment_.cluster;
  const std::uint64_t needed = bytes_of_checks();
  if (needed > usable_memory()) {
    fail_input(
        "checks.history: to count the pushes of {} workers to each of {} keys and to keep "
        "checks.history_memory of events takes about {} of memory; this machine gives a run at "
        "most {}. Use fewer workers, a smaller model or a smaller checks.history_memory",
        cluster.nodes * cluster.workers_per_node, keys_.size(),
        human_bytes(static_cast<double>(needed)),
        human_bytes(static_cast<double>(usable_memory())));
  }
  history_ = std::make_unique<checks::HistoryCheck>(keys_, cluster.nodes, cluster.workers_per_node,
                                                    plan_, experiment_.strategy->guarantees(),
                                                    experiment_.checks.history_memory);
}

void Training::initial_value(Key key, std::span<float> stored) const {
  if (checkpoint_ != nullptr) return checkpoint_->read(key, stored);
  if (history_ == nullptr) return experiment_.workload->initial_value(key, stored);
  std::ranges::fill(stored, 0.0F);
  experiment_.workload->initial_value(key, history_->counters().task_part(stored));
}

Receiver& Training::start_node(NodeRuntime& runtime) {
  if (history_ != nullptr) history_->add_node(runtime.node());
  observation_.add_node(runtime.node());
  auto& node = nodes_[runtime.node()];
  node = std::make_unique<manager::NodeCore>(*setup_, runtime);
  began_with_[runtime.node()] = start_.epochs;
  return *node;
}

void Training::run_worker(NodeId node, std::uint32_t local_index) {
  if (checkpointing_.over) return;
  int epoch = start_.epochs;
  if (epoch > 0) start_again(node, local_index, epoch);
  while (run_epochs(node, local_index, epoch)) start_again(node, local_index, epoch);
}

/// Trains until the end, or until nodes are to begin anew: true. `epoch`: the last one.
bool Training::run_epochs(NodeId node, std::uint32_t local_index, int& epoch) {
  WorkerCore& core = nodes_[node]->worker(local_index);
  checks::Recorder* const recorder = history_ == nullptr ? nullptr : &history_->recorder(core.id());
  Worker worker(core, recorder, observation_.tracer(core.id()));
  const std::unique_ptr<WorkerTask> task = experiment_.workload->make_task(core.id());
  while (true) {
    const auto result =
        core.gather(Gather::kExchange, train_epoch(core, worker, *task, recorder, ++epoch));
    const bool last = result->at(kLast) != 0.0;
    const bool save = result->at(kSave) != 0.0;
    if (save) this->save(core, epoch, last);
    if (last || save) return !last;
  }
}

std::vector<double> Training::train_epoch(WorkerCore& core, Worker& worker, WorkerTask& task,
                                          checks::Recorder* recorder, int epoch) {
  trace::Tracer* const tracer = observation_.tracer(core.id());
  if (recorder != nullptr) recorder->begin_epoch(core);
  // Nothing but this gathering happens anywhere between these two, so the counts are exact.
  const manager::Counters counted = core.node().released_counters();
  core.gather(Gather::kStart, {});
  const Snapshot before(core, counted);
  const auto moment = [&] { return trace::Moment{core.node().runtime().now(), core.now()}; };
  if (tracer != nullptr) tracer->begin_epoch(epoch, moment());
  task.train(worker, epoch);
  if (tracer != nullptr) tracer->end_epoch(moment());
  core.gather(Gather::kBarrier, {});
  std::vector<double> numbers = Snapshot(core, core.node().released_counters()).since(before);
  const double trained = core.now();
  core.gather(Gather::kSettle, {});
  numbers.push_back(core.now() - trained);
  numbers.push_back(static_cast<double>(core.clock()));
  if (recorder != nullptr) recorder->begin_evaluation();
  if (history_ != nullptr && core.local_index() == 0) history_->inspect(core.node());
  task.evaluate(worker);
  const std::vector<double> sums = task.take_sums();
  numbers.insert(numbers.end(), sums.begin(), sums.end());
  if (history_ != nullptr) {
    const std::vector<double> history = history_->hand_over(core.id());
    numbers.insert(numbers.end(), history.begin(), history.end());
  }
  return numbers;
}

// Runs on node 0 when every worker has handed in its epoch. Its result: see kEpoch, kLast, kSums.
std::vector<double> Training::fold(const std::vector<std::vector<double>>& by_worker) {
  if (is_agreement(by_worker[0])) return std::ranges::max(by_worker);
  EpochRecord record;
  record.epoch = ++epoch_;
  if (history_ != nullptr) {
    // Workers of this process hand nothing over, and the first of all is one of them.
    std::vector<std::span<const double>> handed_over;
    for (const std::vector<double>& numbers : by_worker) {
      handed_over.push_back(std::span(numbers).subspan(by_worker[0].size()));
    }
    record.checked = history_->check(handed_over, epoch_, log_);
  }
  std::vector<double> sums(by_worker[0].size() - Snapshot::kSize, 0.0);
  clocks_.clear();
  for (std::size_t worker = 0; worker < by_worker.size(); ++worker) {
    const std::vector<double>& numbers = by_worker[worker];
    clocks_.push_back(Snapshot::clock(numbers));
    record.epoch_time_s = std::max(record.epoch_time_s, Snapshot::elapsed(numbers));
    record.settle_s = std::max(record.settle_s, Snapshot::settle(numbers));
    record.workers.push_back(Snapshot::worker(numbers));
    if (worker % setup_->workers_per_node == 0) record.nodes.push_back(Snapshot::node(numbers));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += numbers[Snapshot::kSize + i];
  }
  record.oracle_s = observation_.oracle_s();
  time_ += record.epoch_time_s;
  record.time_s = time_;
  record.metrics = experiment_.workload->epoch_metrics(sums, epoch_);
  tell_undefined(record);
  on_epoch_(record);
  const int every = checkpointing_.folder.empty() ? 0 : experiment_.checkpoint.every;
  const bool last = finished(record);
  const bool save = every != 0 && (last || epoch_ % every == 0);
  if (every != 0) {
    checkpointing_.events.push_back(to_text(epoch_event(record, setup_->workers_per_node)));
  }
  std::vector<double> result(kSums);
  result[kEpoch] = static_cast<double>(epoch_);
  result[kLast] = last ? 1.0 : 0.0;
  result[kSave] = save ? 1.0 : 0.0;
  result.insert(result.end(), sums.begin(), sums.end());
  return result;
}

// On every node; the workload of this process hears of an epoch once.
void Training::epoch_ended(const std::vector<double>& result) {
  if (is_agreement(result) || result[kEpoch] == static_cast<double>(epoch_)) return;
  ++epoch_;
  experiment_.workload->epoch_metrics(std::span(result).subspan(kSums), epoch_);
}

bool Training::finished(const EpochRecord& record) const {
  const TrainOptions& train = experiment_.train;
  if (record.epoch >= train.epochs) return true;
  if (train.max_time > 0.0 && record.time_s >= train.max_time) return true;
  if (train.target_metric.empty()) return false;
  const auto metric = std::find_if(record.metrics.begin(), record.metrics.end(),
                                   [&](const Metric& m) { return m.name == train.target_metric; });
  if (metric == record.metrics.end()) {
    fail_run("train.target.metric: no {} was measured: this data gives no cells for it",
             train.target_metric);
  }
  if (!metric->value) return false;
  return train.target_below ? *metric->value <= train.target_value
                            : *metric->value >= train.target_value;
}

void Training::tell_undefined(const EpochRecord& record) {
  for (const Metric& metric : record.metrics) {
    if (metric.value || !told_undefined_.insert(metric.name).second) continue;
    log_(
        fmt::format("epoch {}: {} is not defined: {}. Such a value is null in the results and "
                    "reaches no target; this is said once\n",
                    record.epoch, metric.name, metric.why_undefined));
  }
}

std::string Training::waiting_text() const {
  std::vector<std::string> waits;
  std::vector<std::string> at_barrier;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    if (!node->runtime().try_enter()) {
      waits.push_back(fmt::format("node {} cannot send or handle a message", node->node()));
      continue;
    }
    for (std::uint32_t i = 0; i < setup_->workers_per_node; ++i) {
      std::string text = node->worker(i).waiting_text();
      if (!text.empty()) waits.push_back(std::move(text));
    }
    std::string barrier = node->collective().waiting_text();
    if (!barrier.empty()) at_barrier.push_back(std::move(barrier));
    node->runtime().leave();
  }
  constexpr std::size_t kMost = 8;
  waits.insert(waits.end(), at_barrier.begin(), at_barrier.end());
  if (waits.empty()) return "nobody waits";
  const std::size_t more = waits.size() > kMost ? waits.size() - kMost : 0;
  waits.resize(std::min(waits.size(), kMost));
  return join(waits, "; ") + (more == 0 ? "" : fmt::format("; and {} more", more));
}

}  // namespace pslab::run
