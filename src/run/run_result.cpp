#include "run/run_result.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace pslab::run {
namespace {

Json breakdown(const std::array<double, metrics::kTimes>& seconds) {
  Json result = Json::object();
  for (std::size_t i = 0; i < metrics::kTimes; ++i) {
    result[metrics::kTimeNames[i]] = number(seconds[i]);
  }
  return result;
}

/// What one node did, or all of them together.
struct Sums {
  std::array<std::uint64_t, kMessageKinds> messages{};
  std::array<std::uint64_t, kMessageKinds> bytes{};
  std::uint64_t relocations = 0;
  std::uint64_t relocation_conflicts = 0;
  std::uint64_t sync_rounds = 0;

  void add(const NodeRecord& node) {
    for (std::size_t kind = 0; kind < kMessageKinds; ++kind) {
      messages[kind] += node.messages[kind];
      bytes[kind] += node.bytes[kind];
    }
    relocations += node.relocations;
    relocation_conflicts += node.relocation_conflicts;
    sync_rounds = std::max(sync_rounds, node.sync_rounds);
  }
  static std::uint64_t over_kinds(const std::array<std::uint64_t, kMessageKinds>& counts) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
  }
};

Json traffic(const Sums& sums) {
  Json result = Json::object();
  for (std::size_t kind = 0; kind < kMessageKinds; ++kind) {
    if (sums.messages[kind] == 0) continue;
    result[pslab::name(static_cast<MessageKind>(kind))] = {{"messages", sums.messages[kind]},
                                                           {"bytes", sums.bytes[kind]}};
  }
  return result;
}

/// The signal that an epoch begins reaches workers at different moments. Until then they wait for
/// it, which makes every worker's times add up to the epoch's.
EpochRecord with_whole_epochs(EpochRecord record) {
  for (WorkerRecord& worker : record.workers) {
    double known = 0.0;
    for (const double seconds : worker.seconds) known += seconds;
    double& barrier = worker.seconds[static_cast<std::size_t>(metrics::Time::kBarrierWait)];
    barrier += std::max(0.0, record.epoch_time_s - known);
  }
  return record;
}

Json worker_list(const EpochRecord& record, std::uint32_t workers_per_node) {
  Json list = Json::array();
  for (std::size_t i = 0; i < record.workers.size(); ++i) {
    const WorkerRecord& worker = record.workers[i];
    Json entry = {{"worker", i}, {"node", i / workers_per_node}};
    for (std::size_t time = 0; time < metrics::kTimes; ++time) {
      entry[metrics::kTimeNames[time]] = number(worker.seconds[time]);
    }
    entry["accesses"] = worker.accesses;
    entry["local_accesses"] = worker.local_accesses;
    list.push_back(std::move(entry));
  }
  return list;
}

Json node_list(const EpochRecord& record) {
  Json list = Json::array();
  for (std::size_t i = 0; i < record.nodes.size(); ++i) {
    const NodeRecord& node = record.nodes[i];
    list.push_back({{"node", i},
                    {"messages", Sums::over_kinds(node.messages)},
                    {"bytes", Sums::over_kinds(node.bytes)},
                    {"relocations", node.relocations}});
  }
  return list;
}

Json counts(const checks::Checked& checked) {
  return {{"pulls", checked.pulls}, {"pushes", checked.pushes}, {"dropped", checked.dropped}};
}

/// Of all epochs; null: the history was not checked.
Json checked_history(const std::vector<Json>& epochs) {
  checks::Checked sum;
  for (const Json& epoch : epochs) {
    const Json one = epoch.value("checked_history", Json());
    if (one.is_null()) return {};
    sum += {one.at("pulls").get<std::uint64_t>(), one.at("pushes").get<std::uint64_t>(),
            one.at("dropped").get<std::uint64_t>()};
  }
  return epochs.empty() ? Json() : counts(sum);
}

}  // namespace

const char* name(Status status) {
  switch (status) {
    case Status::kSucceeded:
      return "succeeded";
    case Status::kFailed:
      return "failed";
    case Status::kInterrupted:
      return "interrupted";
  }
  return "";
}

Json start_event(const PlannedRun& run) {
  return {{"event", "start"},       {"experiment", run.facts.experiment},
          {"run", run.id},          {"config_hash", run.facts.config_hash},
          {"seed", run.facts.seed}, {"repeat", run.facts.repeat}};
}

Json end_event(const RunResult& result) {
  return {{"event", "end"}, {"status", name(result.status)}, {"error", result.error}};
}

Json epoch_event(const EpochRecord& measured, std::uint32_t workers_per_node) {
  const EpochRecord record = with_whole_epochs(measured);
  std::array<double, metrics::kTimes> mean{};
  std::uint64_t accesses = 0;
  std::uint64_t local_accesses = 0;
  for (const WorkerRecord& worker : record.workers) {
    for (std::size_t i = 0; i < metrics::kTimes; ++i) mean[i] += worker.seconds[i];
    accesses += worker.accesses;
    local_accesses += worker.local_accesses;
  }
  for (double& seconds : mean) seconds /= static_cast<double>(record.workers.size());
  Sums sums;
  for (const NodeRecord& node : record.nodes) sums.add(node);

  Json metrics = Json::object();
  for (const Metric& metric : record.metrics) {
    metrics[metric.name] = metric.value ? number(*metric.value) : Json();
  }
  return {{"event", "epoch"},
          {"epoch", record.epoch},
          {"time_s", number(record.time_s)},
          {"epoch_time_s", number(record.epoch_time_s)},
          {"settle_s", number(record.settle_s)},
          {"oracle_s", record.oracle_s ? number(*record.oracle_s) : Json()},
          {"metrics", std::move(metrics)},
          {"breakdown_s", breakdown(mean)},
          {"totals",
           {{"accesses", accesses},
            {"local_accesses", local_accesses},
            {"messages", Sums::over_kinds(sums.messages)},
            {"bytes_sent", Sums::over_kinds(sums.bytes)},
            {"relocations", sums.relocations},
            {"relocation_conflicts", sums.relocation_conflicts},
            {"sync_rounds", sums.sync_rounds}}},
          {"traffic", traffic(sums)},
          {"checked_history", record.checked ? counts(*record.checked) : Json()},
          {"workers", worker_list(record, workers_per_node)},
          {"nodes", node_list(record)}};
}

void keep_totals(Json& epoch_event) {
  for (const char* part : {"traffic", "workers", "nodes"}) epoch_event.erase(part);
}

Totals totals(const RunResult& result) {
  Totals sums;
  for (const Json& epoch : result.epochs) {
    ++sums.epochs;
    sums.time_s += to_double(epoch.at("epoch_time_s"));
    sums.settle_s += to_double(epoch.value("settle_s", Json(0.0)));
    if (const Json oracle = epoch.value("oracle_s", Json()); !oracle.is_null()) {
      sums.oracle_s += to_double(oracle);
    }
    const Json& counts = epoch.at("totals");
    sums.accesses += counts.at("accesses").get<double>();
    sums.local_accesses += counts.at("local_accesses").get<double>();
    sums.bytes_sent += counts.at("bytes_sent").get<double>();
    sums.messages += counts.at("messages").get<double>();
    for (std::size_t i = 0; i < metrics::kTimes; ++i) {
      sums.breakdown_s[i] += to_double(epoch.at("breakdown_s").at(metrics::kTimeNames[i]));
    }
  }
  return sums;
}

std::string end_reason(const PlannedRun& run, const RunResult& result) {
  if (result.status != Status::kSucceeded || result.epochs.empty()) return "";
  const TrainOptions& train = run.facts.train;
  const Json& metrics = result.epochs.back().at("metrics");
  if (const auto metric = metrics.find(train.target_metric); metric != metrics.end()) {
    const double value = to_double(*metric);
    const bool reached =
        train.target_below ? value <= train.target_value : value >= train.target_value;
    if (reached) return "target reached";
  }
  // A run that goes on from another one's checkpoint has not measured the epochs before.
  if (result.epochs.back().at("epoch").get<int>() < train.epochs) return "max_time reached";
  if (train.target_metric.empty()) return "all epochs done";
  return "target not reached in " + counted(static_cast<std::uint64_t>(train.epochs), "epoch");
}

Json summary(const PlannedRun& run, const RunResult& result) {
  const RunFacts& facts = run.facts;
  const Totals sums = totals(result);
  const bool measured = sums.epochs > 0;
  return {{"experiment", facts.experiment},
          {"run", run.id},
          {"status", name(result.status)},
          {"error", result.error},
          {"end_reason", end_reason(run, result)},
          {"config_hash", facts.config_hash},
          {"commit", result.commit},
          {"backend", facts.backend},
          {"strategy", facts.strategy},
          {"scheme", facts.scheme},
          {"workload", facts.workload},
          {"platform", facts.platform},
          {"nodes", facts.nodes},
          {"workers_per_node", facts.workers_per_node},
          {"seed", facts.seed},
          {"repeat", facts.repeat},
          {"epochs", sums.epochs},
          {"time_s", measured ? result.epochs.back().at("time_s") : Json(0.0)},
          {"mean_epoch_time_s", measured ? number(sums.mean_epoch_time_s()) : Json()},
          {"mean_settle_s", measured ? number(sums.mean_settle_s()) : Json()},
          {"mean_oracle_s", sums.oracle_s > 0.0 ? number(sums.mean_oracle_s()) : Json()},
          {"metrics", measured ? result.epochs.back().at("metrics") : Json::object()},
          {"local_share", sums.accesses > 0.0 ? number(sums.local_share()) : Json()},
          {"bytes_sent", static_cast<std::uint64_t>(sums.bytes_sent)},
          {"messages", static_cast<std::uint64_t>(sums.messages)},
          {"breakdown_s", breakdown(sums.breakdown_s)},
          {"checked_history", checked_history(result.epochs)},
          {"data", result.data}};
}

}  // namespace pslab::run
