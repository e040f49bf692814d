// The parts of SimGrid 3.32 that are not its public S4U interface, behind a few functions. Their
// definitions are the only code that includes kernel headers.
#pragma once

#include <cstdint>
#include <functional>

namespace simgrid::s4u {
class Host;
}

namespace pslab::sim::kernel {

/// Runs `action` in the kernel (no actor) at a simulated time. Returns that time: `time`, or if an
/// actor calls and SimGrid's clock has reached it already, the next moment that SimGrid can advance
/// to.
double call_at(double time, std::function<void(double)> action);

/// SimGrid's clock, seconds.
double clock();

/// Something that travels over SimGrid's network.
class Flow {
 public:
  virtual ~Flow() = default;
  /// In the kernel, when the last byte has arrived.
  virtual void arrived() = 0;
};

/// Starts a flow of `bytes`; called in the kernel. `flow` must live until it has arrived.
void start_flow(simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::uint64_t bytes, Flow& flow);

/// Call once per simulation, before the first flow.
void watch_flows();

}  // namespace pslab::sim::kernel
