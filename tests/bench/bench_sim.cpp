// What a simulated epoch of matrix factorization costs in wall time and memory.
//
//   bench_sim                 the standard set: strategies x network models on 8 x 8, relocation on
//   64 x 8,
//                             everything local against a plain loop over arrays
//   bench_sim key=value ...   one run with these settings on top of the standard one (see kBase)
//
// Each run is a process of its own; its wall time counts the simulation only, not the making of the
// data.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/overrides.hpp"
#include "config/yaml.hpp"
#include "run/experiment.hpp"
#include "run/training.hpp"
#include "workloads/matrix_factorization/kernels.hpp"

namespace pslab {
namespace {

using Clock = std::chrono::steady_clock;

const char* const kBase = R"(
experiment: bench
cluster: {nodes: 8, workers_per_node: 8, platform: ethernet-10g}
workload:
  name: matrix_factorization
  rank: 32
  dataset: {generator: zipf_matrix, rows: 100000, cols: 10000, cells: 1000000, zipf: 1.1, seed: 1}
strategy: {name: relocation}
train: {epochs: 1}
)";

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double resident_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

std::string project_root() {
  const char* root = std::getenv("PSLAB_ROOT");
  return root != nullptr ? root : ".";
}

void run_one(const std::vector<std::string>& overrides) {
  config::Value config = config::parse_yaml(kBase, "bench");
  config::apply_overrides(config, overrides);
  run::Experiment experiment(config, project_root());
  const LoadContext context{experiment.cluster.seed, experiment.cluster.nodes,
                            experiment.cluster.workers_per_node, project_root(),
                            [](const std::string&) {}};
  const double empty_mib = resident_mib();
  experiment.workload->load(context);
  const double loaded_mib = resident_mib();
  std::uint64_t messages = 0;
  double accesses = 0.0;
  double local = 0.0;
  double simulated = 0.0;
  run::Training training(experiment, [&](const run::EpochRecord& record) {
    for (const run::NodeRecord& node : record.nodes) {
      for (const std::uint64_t count : node.messages) messages += count;
    }
    for (const run::WorkerRecord& worker : record.workers) {
      accesses += static_cast<double>(worker.accesses);
      local += static_cast<double>(worker.local_accesses);
    }
    simulated = record.time_s;
    std::string metrics;
    for (const Metric& metric : record.metrics)
      metrics += fmt::format(" {} {:.4f}", metric.name, metric.value.value_or(std::nan("")));
    std::printf("    epoch %d:%s\n", record.epoch, metrics.c_str());
  });
  const std::atomic<bool> stop{false};
  const auto began = Clock::now();
  const double cpu_began = cpu_seconds();
  experiment.backend->execute(experiment.cluster, training, stop);
  const double wall = seconds_since(began);
  const double cpu = cpu_seconds() - cpu_began;
  const double steps = accesses / 4.0;  // a step pulls and pushes a row and a column
  const double model_mib =
      static_cast<double>(experiment.workload->keys().total_floats()) * 4.0 / 1048576.0;
  const double data_mib = static_cast<double>(experiment.workload->data_bytes()) / 1048576.0;
  std::printf("    wall %.2f s  cpu %.2f s  simulated %.4f s  local %.1f %%\n", wall, cpu,
              simulated, 100.0 * local / accesses);
  std::printf("    messages %.3g (%.2f us of cpu each)  steps %.3g (%.3f us of cpu each)\n",
              static_cast<double>(messages), cpu * 1e6 / static_cast<double>(messages), steps,
              cpu * 1e6 / steps);
  std::printf(
      "    memory: %.1f MiB at the end (program %.1f, after loading %.1f); model %.1f + data %.1f "
      "MiB\n",
      resident_mib(), empty_mib, loaded_mib, model_mib, data_mib);
}

/// In a child, since a process can hold one simulation.
void run_in_child(const std::string& title, const std::vector<std::string>& overrides) {
  std::printf("%s\n", title.c_str());
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      run_one(overrides);
    } catch (const std::exception& error) {
      std::printf("    failed: %s\n", error.what());
    }
    std::fflush(stdout);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace pslab

int main(int argc, char** argv) {
  using pslab::run_in_child;
  if (argc > 1) {
    run_in_child("one run", std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  }
  for (const std::string network : {"flow", "alpha_beta"}) {
    for (const std::string strategy : {"relocation", "hybrid", "static"}) {
      run_in_child(strategy + ", 8 x 8, " + network,
                   {"strategy={name: " + strategy + "}", "sim.network=" + network});
    }
  }
  run_in_child("relocation, 64 x 8, flow", {"cluster.nodes=64"});
  run_in_child("everything local, 1 x 1", {"cluster={nodes: 1, workers_per_node: 1}"});
  return 0;
}
