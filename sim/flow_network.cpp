// The reference model: every message is a flow of SimGrid's fluid model over the platform's links.
#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <vector>

#include "sim/kernel.hpp"
#include "sim/network.hpp"

namespace pslab::sim {
namespace {

namespace s4u = simgrid::s4u;

/// A message's flow through the links.
class FlowOfParcel final : public kernel::Flow {
 public:
  explicit FlowOfParcel(std::vector<FlowOfParcel*>& idle) : idle_(idle) {}
  void arrived() override {
    Parcel& parcel = *parcel_;
    idle_.push_back(this);
    parcel.landed();
  }

  Parcel* parcel_ = nullptr;

 private:
  std::vector<FlowOfParcel*>& idle_;
};

class FlowNetwork final : public Network {
 public:
  FlowNetwork(const graph::Platform& platform, EventQueue& events)
      : platform_(platform), events_(events) {
    s4u::NetZone* zone =
        platform.is_star() ? s4u::create_star_zone("cluster") : s4u::create_full_zone("cluster");
    for (NodeId node = 0; node < platform.nodes(); ++node) {
      hosts_.push_back(zone->create_host(fmt::format("node-{}", node), 1e9)->seal());
    }
    for (const graph::Link& link : platform.links()) {
      s4u::SplitDuplexLink* both =
          zone->create_split_duplex_link("link-" + link.name, link.bandwidth);
      both->set_latency(0.0)->seal();
      links_.push_back(both);
    }
    if (platform.nodes() > 1) {
      if (platform.is_star()) {
        add_star(*zone, platform);
      } else {
        add_full(*zone, platform);
      }
    }
    add_loopbacks(*zone, platform);
    zone->seal();
    kernel::watch_flows();
  }

  /// A message is first under way for its route's latency, then a flow that shares bandwidth.
  /// SimGrid would do both, but it works on every flow that there is, and most of a small message's
  /// time is latency.
  void send(Parcel& parcel, double delay) override {
    events_.schedule(events_.now() + delay + platform_.latency(parcel.from, parcel.to), parcel);
  }

  void proceed(Parcel& parcel) override {
    if (idle_.empty()) {
      flows_.push_back(std::make_unique<FlowOfParcel>(idle_));
      idle_.push_back(flows_.back().get());
    }
    FlowOfParcel* flow = idle_.back();
    idle_.pop_back();
    flow->parcel_ = &parcel;
    kernel::start_flow(hosts_[parcel.from], hosts_[parcel.to], parcel.bytes, *flow);
  }

 private:
  s4u::LinkInRoute crossing(const graph::Hop& hop) const {
    return {links_[hop.link],
            hop.forward ? s4u::LinkInRoute::Direction::UP : s4u::LinkInRoute::Direction::DOWN};
  }

  void add_star(s4u::NetZone& zone, const graph::Platform& platform) {
    for (NodeId node = 0; node < platform.nodes(); ++node) {
      const auto uplink = platform.route(node, node == 0 ? 1 : 0).front();
      zone.add_route(hosts_[node]->get_netpoint(), nullptr, nullptr, nullptr, {crossing(uplink)},
                     true);
    }
  }

  void add_full(s4u::NetZone& zone, const graph::Platform& platform) {
    for (NodeId from = 0; from < platform.nodes(); ++from) {
      for (NodeId to = 0; to < platform.nodes(); ++to) {
        if (from == to) continue;
        std::vector<s4u::LinkInRoute> route;
        for (const graph::Hop& hop : platform.route(from, to)) route.push_back(crossing(hop));
        zone.add_route(hosts_[from]->get_netpoint(), hosts_[to]->get_netpoint(), nullptr, nullptr,
                       route, false);
      }
    }
  }

  void add_loopbacks(s4u::NetZone& zone, const graph::Platform& platform) {
    for (s4u::Host* host : hosts_) {
      const s4u::Link* loop =
          zone.create_link("loopback-" + host->get_name(), platform.loopback().bandwidth)
              ->set_latency(0.0)
              ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
              ->seal();
      zone.add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr,
                     {s4u::LinkInRoute(loop)});
    }
  }

  const graph::Platform& platform_;
  EventQueue& events_;
  std::vector<s4u::Host*> hosts_;
  std::vector<const s4u::SplitDuplexLink*> links_;
  std::vector<std::unique_ptr<FlowOfParcel>> flows_;
  std::vector<FlowOfParcel*> idle_;
};

}  // namespace

std::unique_ptr<Network> make_flow_network(const graph::Platform& platform, EventQueue& events) {
  return std::make_unique<FlowNetwork>(platform, events);
}

}  // namespace pslab::sim
