#include "tests/conformance/random_run.hpp"

#include <algorithm>
#include <stdexcept>

#include "api/registry.hpp"
#include "api/worker.hpp"
#include "base/hash.hpp"
#include "config/yaml.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "tests/conformance/random_program.hpp"

namespace pslab::test {

RandomRun random_run(const std::string& strategy, const std::string& options, std::uint64_t seed) {
  Random random(seed, "conformance cluster");
  RandomRun run;
  run.strategy = strategy;
  run.options = options;
  run.network = random.below(2) == 0 ? "flow" : "alpha_beta";
  run.quantum = random.below(4) == 0 ? 0.0 : 20e-6;
  run.cluster.nodes = static_cast<NodeId>(1 + random.below(6));
  run.cluster.workers_per_node = static_cast<std::uint32_t>(1 + random.below(3));
  run.cluster.platform = random.below(3) == 0 ? "two-racks" : "ethernet-10g";
  run.cluster.root = PSLAB_SOURCE_DIR;
  run.cluster.seed = seed;
  if (random.below(2) == 0) {
    run.cluster.faults.delay_probability = 0.3;
    run.cluster.faults.delay_max = 200e-6;
  }
  if (random.below(3) == 0) {
    const auto slow = static_cast<NodeId>(random.below(run.cluster.nodes));
    run.cluster.faults.slow_nodes.push_back({slow, 20.0, 0.0, 1e300});
  }
  run.keys_per_group = static_cast<std::uint32_t>(1 + random.below(16));
  return run;
}

std::string perform(const RandomRun& run) {
  const config::Value given = config::parse_yaml(run.options, "conformance options");
  config::Options strategy_options(&given, "strategy");
  const auto strategy =
      Registry<Strategy>::instance().find(run.strategy, "strategy", "test").make(strategy_options);
  strategy_options.finish();
  const config::Value settings = config::parse_yaml(
      run.backend == "sim"
          ? fmt::format("network: {}\nquantum: {}\nstall_limit: 5", run.network, run.quantum)
          : fmt::format("stall_limit: 5\nconsistency: {}", run.hogwild ? "hogwild" : "per_key"),
      run.backend);
  config::Options settings_read(&settings, run.backend);
  const auto backend =
      Registry<Backend>::instance().find(run.backend, "backend", "test").make(settings_read);
  const std::atomic<bool> stop{false};
  RandomProgram program(run, *strategy);
  try {
    const NodeId node = backend->join(run.cluster);
    backend->execute(run.cluster, program, stop);
    if (node == 0) program.check_end();
  } catch (const std::exception& error) {
    return fmt::format("wrong: {}", error.what());
  }
  return program.summary();
}

}  // namespace pslab::test
