#include "sim/kernel.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/simix.hpp>

#include <cmath>
#include <limits>

namespace pslab::sim::kernel {

namespace s4u = simgrid::s4u;

double call_at(double time, std::function<void(double)> action) {
  // SimGrid asserts that a timer which it finds after running actors lies ahead of its clock.
  if (!s4u::Actor::is_maestro() && time <= clock()) {
    time = std::nextafter(clock(), std::numeric_limits<double>::max());
  }
  simgrid::kernel::timer::Timer::set(time, [action = std::move(action), time] { action(time); });
  return time;
}

double clock() {
  return s4u::Engine::get_clock();
}

void start_flow(s4u::Host* from, s4u::Host* to, std::uint64_t bytes, Flow& flow) {
  const s4u::CommPtr comm = s4u::Comm::sendto_init(from, to);
  comm->set_payload_size(bytes);
  comm->set_data(&flow);
  // Nobody else holds the flow until it has arrived; watch_flows() takes this reference back.
  intrusive_ptr_add_ref(comm.get());
  comm->start();
}

void watch_flows() {
  s4u::Activity::on_completion_cb([](const s4u::Activity& activity) {
    auto* flow = static_cast<Flow*>(activity.get_data<void>());
    if (flow == nullptr) return;
    // SimGrid still uses the activity after this callback: it is let go at the next one.
    static s4u::ActivityPtr last;
    last = s4u::ActivityPtr(const_cast<s4u::Activity*>(&activity), false);
    flow->arrived();
  });
}

}  // namespace pslab::sim::kernel
