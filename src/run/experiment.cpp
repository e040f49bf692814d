#include "run/experiment.hpp"

#include <algorithm>
#include <limits>

#include "api/registry.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "checks/history_check.hpp"
#include "config/sweep.hpp"
#include "graph/platform.hpp"

namespace pslab::run {

namespace {

/// Makes the plug-in that option `selector` of `options` names.
template <typename Interface>
std::unique_ptr<Interface> make_plugin(config::Options& options, const std::string& selector,
                                       const std::string& initial, const std::string& kind,
                                       std::string& name) {
  name = options.choice(selector, initial, Registry<Interface>::instance().names(),
                        "name of the " + kind + "; see: pslab list");
  return Registry<Interface>::instance().find(name, kind, options.path()).make(options);
}

// The runs of an experiment are made of these before any of them is read.
void declare_sweep(config::Options& options) {
  options.elsewhere("repeats",
                    {.path = "",
                     .type = "integer",
                     .initial = "1",
                     .allowed = fmt::format("1 .. {}", config::kMaxRepeats),
                     .unit = "",
                     .help = "runs per combination of the sweep; repeat r has seed + r - 1"});
  options.elsewhere("sweep", {.path = "",
                              .type = "group",
                              .initial = "",
                              .allowed = "",
                              .unit = "",
                              .help = "lists of values to run, by dotted path: crossed with each "
                                      "other; lists under zip vary together"});
}

constexpr std::int64_t kMostNodes = 65534;
constexpr double kForever = std::numeric_limits<double>::max();

}  // namespace

Experiment::Experiment(const config::Value& config, const std::string& root, config::Mode mode)
    : describing_(mode == config::Mode::kDescribe) {
  cluster.root = root;
  config::Options options(&config, "", mode);
  read(options);
  options.finish();
  resolved_ = options.resolved();
  declarations_ = options.declarations();
}

void Experiment::read(config::Options& options) {
  name = options.text("experiment", "experiment",
                      "name of the experiment; its results go to a folder of this name");
  declare_sweep(options);
  const std::vector<std::string> backends = Registry<Backend>::instance().names();
  if (backends.empty())
    fail_input("this build of pslab has no backend; configure it with PSLAB_SIM=ON");
  const bool has_sim = std::find(backends.begin(), backends.end(), "sim") != backends.end();
  backend_name = options.choice("backend", has_sim ? "sim" : backends.front(), backends,
                                "where to run: inside a simulation, or on real processes");
  read_cluster(options.group("cluster", "the machines"));
  workload = make_plugin<Workload>(options.group("workload", "the training task"), "name",
                                   "matrix_factorization", "workload", workload_name);
  strategy = make_plugin<Strategy>(options.group("strategy", "how parameters are managed"), "name",
                                   "relocation", "strategy", strategy_name);
  scheme = make_plugin<SamplingScheme>(options.group("sampling", "how sample accesses are served"),
                                       "scheme", "independent", "sampling scheme", scheme_name);
  read_train(options.group("train", "how long to train"));
  cluster.seed = static_cast<std::uint64_t>(
      options.integer("seed", config::kDefaultSeed, 0, config::kMaxSeed, "",
                      "of all randomness; repeat r of a run uses seed + r - 1"));
  for (const std::string& known : Registry<Backend>::instance().names()) {
    config::Options& group = options.group(known, "settings of the backend '" + known + "'");
    auto made = Registry<Backend>::instance().find(known, "backend", known).make(group);
    if (known == backend_name) backend = std::move(made);
  }
  read_faults(options.group("faults", "troubles to inject into the run"));
  read_checks(options.group("checks", "what the run checks of itself"));
  read_metrics(options.group("metrics", "what the run measures beside times and traffic"));
  read_checkpoint(options.group("checkpoint", "how a run that was stopped can go on"));
}

void Experiment::read_cluster(config::Options& options) {
  cluster.nodes = static_cast<NodeId>(
      options.integer("nodes", 1, 1, kMostNodes, "nodes", "machines of the cluster"));
  cluster.workers_per_node = static_cast<std::uint32_t>(
      options.integer("workers_per_node", 1, 1, 4096, "workers", "training threads on each node"));
  cluster.platform = options.text("platform", "ethernet-10g",
                                  "name of a platform (pslab list platforms) or a platform file");
  cluster.hostfile =
      options.text("hostfile", "",
                   "real: file with a machine's name per line, at least cluster.nodes of them, for "
                   "each gets one process (slots=N after a name counts for nothing); empty: this "
                   "machine, or those of the Slurm job that pslab runs in",
                   config::Affects::kSpeed);
}

void Experiment::read_train(config::Options& options) {
  train.epochs = static_cast<int>(
      options.integer("epochs", 1, 1, 1'000'000, "epochs", "passes over the data"));
  train.max_time = options.real(
      "max_time", 0.0, 0.0, kForever, "s",
      "begin no epoch after this much training time (simulated seconds in sim); 0: no limit");
  config::Options& target = options.group("target", "end early when a quality is reached");
  train.target_metric =
      target.text("metric", "", "metric of the workload, e.g. test_rmse; empty: none");
  const std::vector<std::string> known = workload->metric_names();
  if (!train.target_metric.empty() &&
      std::ranges::find(known, train.target_metric) == known.end()) {
    target.reject("metric", fmt::format("is no metric of workload '{}'.{} It has: {}",
                                        workload_name, did_you_mean(train.target_metric, known),
                                        known.empty() ? "none" : join(known, ", ")));
  }
  const std::string why_not = workload->why_no_target(train.target_metric);
  if (!train.target_metric.empty() && !why_not.empty()) target.reject("metric", why_not);
  train.target_value = target.real("value", 0.0, -kForever, kForever, "", "value to reach");
  train.target_below = target.choice("reached", "at_or_below", {"at_or_below", "at_or_above"},
                                     "which side of the value counts as reached") == "at_or_below";
  if (!train.target_metric.empty() && !target.given("value")) {
    target.reject("metric", "needs train.target.value beside it");
  }
  // A resolved config names every option, so defaults are no wish for a target.
  if (!train.target_metric.empty()) return;
  if (train.target_value != 0.0) target.reject("value", "needs train.target.metric beside it");
  if (!train.target_below) target.reject("reached", "needs train.target.metric beside it");
}

void Experiment::read_checks(config::Options& options) {
  checks.history = options.flag(
      "history", false,
      "record what workers read and write, and fail when it is not what the strategy promises; "
      "makes messages larger: not for measurements, and not with real.consistency: hogwild");
  checks.history_memory = static_cast<std::uint64_t>(options.integer(
                              "history_memory", 512, 1, std::int64_t{1} << 20, "MiB",
                              "for what is recorded in an epoch, all workers together; when it is "
                              "full, what they do is "
                              "only counted until the next epoch"))
                          << 20;
  if (checks.history && backend->torn_reads()) {
    options.reject("history",
                   "checks that reads are whole, which real.consistency: hogwild does not promise; "
                   "set real.consistency: per_key, or checks.history: false");
  }
  const std::uint64_t workers = std::uint64_t{cluster.nodes} * cluster.workers_per_node;
  if (checks.history && workers > checks::kMostWorkers) {
    options.reject(
        "history",
        fmt::format("counts each worker's pushes in every value, for at most {} workers; "
                    "the cluster has {}",
                    checks::kMostWorkers, workers));
  }
}

void Experiment::read_metrics(config::Options& options) {
  metrics.record_trace = options.flag("record_trace", false,
                                      "write what each worker accesses, and when, into the run's "
                                      "folder (trace.bin), to be replayed "
                                      "with workload.trace; simulated times stay the same",
                                      config::Affects::kSpeed);
  metrics.oracle = options.flag(
      "oracle", false,
      "sim: compute a lower bound on the time of each epoch (oracle_s): what its workers did, with "
      "every key moved, copied or accessed remotely in the cheapest way, known beforehand and "
      "without contention; see src/oracle/README.md");
  if (metrics.oracle && backend_name != "sim") {
    options.reject("oracle", "needs backend: sim, which knows what things cost on its platform",
                   "Leave it out, or set backend: sim");
  }
  const std::string copies = options.choice(
      "oracle_copies", "as_promised", {"as_promised", "any_age", "fresh"},
      "which copies the bound may read. fresh: those that miss no update, as a strategy must that "
      "promises an order of updates per key; any_age: all of them, so that it is a bound for every "
      "strategy; as_promised: fresh ones for keys for which the run's strategy makes that promise, "
      "any for others");
  metrics.copies = copies == "any_age" ? OracleCopies::kAnyAge
                   : copies == "fresh" ? OracleCopies::kFresh
                                       : OracleCopies::kAsPromised;
}

void Experiment::read_checkpoint(config::Options& options) {
  checkpoint.every = static_cast<int>(options.integer(
      "every", 0, 0, 1'000'000, "epochs",
      "write a checkpoint after every so many epochs and after the last, into the run's folder, "
      "for "
      "'pslab resume' and 'pslab export'; 0: none. Each is a moment at which all nodes begin anew "
      "from what was written, so that a run that goes on does the same as one that never stopped"));
  checkpoint.keep = static_cast<int>(
      options.integer("keep", 2, 1, 1'000'000, "", "how many checkpoints to keep, the newest"));
  checkpoint.from = options.text("from", "",
                                 "folder of a run with checkpoints, or of one of these: go on from "
                                 "there, on this cluster; empty: from the beginning");
  if (checkpoint.every == 0 && checkpoint.from.empty()) return;
  const char* option = checkpoint.every != 0 ? "every" : "from";
  if (checks.history) {
    options.reject(option,
                   "cannot be combined with checks.history, which needs all that workers "
                   "did from the beginning");
  }
  if (metrics.record_trace) {
    options.reject(option,
                   "cannot be combined with metrics.record_trace, which needs all that "
                   "workers did from the beginning");
  }
}

void Experiment::read_faults(config::Options& options) {
  const std::int64_t last_node = describing_ ? kMostNodes - 1 : std::int64_t{cluster.nodes} - 1;
  const auto node = [last_node](config::Options& fault, const char* option) {
    return static_cast<NodeId>(
        fault.integer(option, 0, 0, last_node, "node", "which node, below cluster.nodes"));
  };
  const auto window = [](config::Options& fault, double& from, double& until) {
    from = fault.real("from", 0.0, 0.0, kForever, "s", "time of the run at which it begins");
    until = fault.real("until", kForever, 0.0, kForever, "s", "time of the run at which it ends");
    if (until <= from) fault.reject("until", "must be later than from");
  };
  options.each(
      "slow_nodes", "nodes whose processors are slow for a while", [&](config::Options& fault) {
        Faults::SlowNode slow{};
        slow.node = node(fault, "node");
        slow.slowdown =
            fault.real("slowdown", 2.0, 1.0, 1e6, "", "everything takes this many times as long");
        window(fault, slow.from, slow.until);
        cluster.faults.slow_nodes.push_back(slow);
      });
  options.each("slow_links", "connections that are slow for a while", [&](config::Options& fault) {
    Faults::SlowLink slow{};
    slow.from_node = node(fault, "from_node");
    slow.to_node = node(fault, "to_node");
    if (slow.from_node == slow.to_node && !describing_) {
      fault.reject("to_node", "must differ from from_node, for a node is not connected to itself");
    }
    slow.extra_latency = fault.real("extra_latency", 1e-3, 0.0, 1e6, "s", "added to each message");
    window(fault, slow.from, slow.until);
    cluster.faults.slow_links.push_back(slow);
  });
  options.each("failures", "nodes that die; the run fails with them", [&](config::Options& fault) {
    Faults::Failure failure{};
    failure.node = node(fault, "node");
    failure.at = fault.real("at", 1.0, 0.0, kForever, "s", "time of the run");
    cluster.faults.failures.push_back(failure);
  });
  config::Options& delay =
      options.group("message_delay", "random delays of messages between nodes");
  cluster.faults.delay_probability =
      delay.real("probability", 0.0, 0.0, 1.0, "", "that a message is delayed");
  cluster.faults.delay_max =
      delay.real("max", 1e-3, 0.0, 1e6, "s", "delays are uniform from 0 to this");
}

std::uint64_t Experiment::config_hash() const {
  config::Value without_seed = resolved_;
  std::erase_if(*without_seed.map(), [](const auto& member) { return member.first == "seed"; });
  return fnv1a(without_seed.flow());
}

}  // namespace pslab::run
