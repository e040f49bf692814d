#include <fmt/format.h>
#include <simgrid/engine.h>
#include <simgrid/version.h>

#include "api/backend.hpp"
#include "api/registry.hpp"
#include "sim/simulation.hpp"

namespace pslab {
namespace {

class SimBackend final : public Backend {
 public:
  explicit SimBackend(config::Options& options) {
    options_.alpha_beta =
        options.choice("network", "flow", {"flow", "alpha_beta"},
                       "flow: SimGrid's fluid model (bandwidth sharing, topology), the "
                       "reference; alpha_beta: latency plus size over bandwidth with "
                       "queues at both ends, several times faster") == "alpha_beta";
    options_.quantum =
        options.real("quantum", 10e-6, 0.0, 1.0, "s",
                     "how far a worker's clock may run ahead of the simulation between "
                     "messages; 0: not at all (slow)");
    options_.stall_limit =
        options.real("stall_limit", 60.0, 1e-3, 1e9, "s",
                     "simulated time without any worker going on after which the run "
                     "fails, naming who waits for what");
  }

  void execute(const ClusterSpec& cluster, Program& program,
               const std::atomic<bool>& stop) override {
    sim::Simulation(cluster, options_, stop).execute(program);
  }

  std::string version() const override {
    int major = 0;
    int minor = 0;
    int patch = 0;
    sg_version_get(&major, &minor, &patch);
    return fmt::format("SimGrid {}.{}.{}", major, minor, patch);
  }

 private:
  sim::SimOptions options_;
};

PSLAB_REGISTER(Backend, SimBackend, "sim", "simulated cluster (SimGrid), reproducible bit for bit",
               "SimGrid");

}  // namespace
}  // namespace pslab
