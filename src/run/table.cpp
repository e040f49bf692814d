#include "run/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace pslab::run {
namespace {

constexpr std::array<const char*, 7> kTotals = {
    "accesses",    "local_accesses",       "messages",   "bytes_sent",
    "relocations", "relocation_conflicts", "sync_rounds"};

class Row {
 public:
  /// Quoted where a reader of CSV would otherwise misread it.
  void add(const std::string& field) {
    if (!first_) text_ += ',';
    first_ = false;
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      text_ += field;
      return;
    }
    text_ += '"';
    for (const char c : field) text_.append(c == '"' ? 2 : 1, c);
    text_ += '"';
  }
  void add(std::int64_t value) { add(fmt::format("{}", value)); }
  /// An absent value is "not measured".
  void add(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) {
      add(std::string());
    } else if (found->is_number_float()) {
      add(shortest(found->get<double>()));
    } else {
      add(found->is_string() ? found->get<std::string>() : found->dump());
    }
  }
  std::string line() const { return text_ + "\n"; }

 private:
  std::string text_;
  bool first_ = true;
};

std::vector<std::string> metric_names(const std::map<std::size_t, RunResult>& results) {
  std::vector<std::string> names;
  for (const auto& [index, result] : results) {
    for (const Json& epoch : result.epochs) {
      for (const auto& [name, value] : epoch.at("metrics").items()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

std::string header(const std::vector<std::string>& metrics, const std::vector<std::string>& swept) {
  Row row;
  for (const char* column :
       {"experiment", "run", "status", "error", "commit", "config_hash", "backend", "platform",
        "workload", "strategy", "scheme", "nodes", "workers_per_node", "seed", "repeat", "epoch",
        "time_s", "epoch_time_s", "settle_s"}) {
    row.add(std::string(column));
  }
  for (const char* part : metrics::kTimeNames) row.add(std::string(part) + "_s");
  row.add(std::string("local_share"));
  for (const char* total : kTotals) row.add(std::string(total));
  row.add(std::string("oracle_s"));
  for (const std::string& metric : metrics) row.add(metric);
  for (const std::string& path : swept) row.add("sweep." + path);
  return row.line();
}

/// `epoch` is an empty object for a run without any.
std::string line(const PlannedRun& run, const RunResult& result, const Json& epoch,
                 const std::vector<std::string>& metrics) {
  const RunFacts& facts = run.facts;
  Row row;
  for (const std::string& field : {facts.experiment, run.id, std::string(name(result.status)),
                                   result.error, result.commit, facts.config_hash, facts.backend,
                                   facts.platform, facts.workload, facts.strategy, facts.scheme}) {
    row.add(field);
  }
  row.add(std::int64_t{facts.nodes});
  row.add(std::int64_t{facts.workers_per_node});
  row.add(facts.seed);
  row.add(facts.repeat);
  row.add(epoch.value("epoch", std::int64_t{0}));
  row.add(epoch, "time_s");
  row.add(epoch, "epoch_time_s");
  row.add(epoch, "settle_s");
  const Json none = Json::object();
  const Json& breakdown = epoch.contains("breakdown_s") ? epoch.at("breakdown_s") : none;
  for (const char* part : metrics::kTimeNames) row.add(breakdown, part);
  const Json& counts = epoch.contains("totals") ? epoch.at("totals") : none;
  const double accesses = counts.value("accesses", 0.0);
  row.add(accesses > 0.0 ? shortest(counts.value("local_accesses", 0.0) / accesses) : "");
  for (const char* total : kTotals) row.add(counts, total);
  row.add(epoch, "oracle_s");
  const Json& values = epoch.contains("metrics") ? epoch.at("metrics") : none;
  for (const std::string& metric : metrics) row.add(values, metric.c_str());
  for (const config::Varied& varied : run.sweep.varied) row.add(value_text(varied.value));
  return row.line();
}

}  // namespace

std::string table_csv(const ExperimentPlan& plan, const std::map<std::size_t, RunResult>& results) {
  const std::vector<std::string> metrics = metric_names(results);
  std::string text = header(metrics, plan.swept);
  for (const auto& [index, result] : results) {
    const PlannedRun& run = plan.runs[index];
    if (result.epochs.empty()) text += line(run, result, Json::object(), metrics);
    for (const Json& epoch : result.epochs) text += line(run, result, epoch, metrics);
  }
  return text;
}

}  // namespace pslab::run
