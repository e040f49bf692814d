// The fast model: start-up latency (alpha) plus time per byte (beta), with one queue per network
// card and direction. What lies between the cards is never congested.
#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <vector>

#include "sim/network.hpp"

namespace pslab::sim {
namespace {

namespace s4u = simgrid::s4u;

class AlphaBetaNetwork final : public Network {
 public:
  AlphaBetaNetwork(const graph::Platform& platform, EventQueue& events)
      : platform_(platform), events_(events), cards_(platform.nodes()) {
    s4u::NetZone* zone = s4u::create_full_zone("cluster");
    for (NodeId node = 0; node < platform.nodes(); ++node) {
      zone->create_host(fmt::format("node-{}", node), 1e9)->seal();
    }
    zone->seal();
    if (platform.is_star()) learn_uplinks();
  }

  void send(Parcel& parcel, double delay) override {
    parcel.wire = static_cast<double>(parcel.bytes) / bandwidth(parcel.from, parcel.to);
    if (delay > 0.0) {
      parcel.next = Parcel::Next::kLeaves;
      events_.schedule(events_.now() + delay, parcel);
    } else {
      leave(parcel);
    }
  }

  void proceed(Parcel& parcel) override {
    if (parcel.next == Parcel::Next::kLeaves) return leave(parcel);
    if (parcel.next == Parcel::Next::kReachesCard && must_queue(parcel)) return;
    parcel.landed();
  }

 private:
  struct Card {
    double sending_until = 0.0;
    double receiving_until = 0.0;
    double latency = 0.0;    ///< of the host's link, in a star
    double bandwidth = 0.0;  ///< the same
  };

  /// Queues at the sender's card.
  void leave(Parcel& parcel) {
    double left = events_.now() + parcel.wire;
    parcel.next = Parcel::Next::kLands;
    if (parcel.from != parcel.to) {
      double& sending_until = cards_[parcel.from].sending_until;
      sending_until = std::max(events_.now(), sending_until) + parcel.wire;
      left = sending_until;
      parcel.next = Parcel::Next::kReachesCard;
    }
    events_.schedule(left + latency(parcel.from, parcel.to), parcel);
  }

  /// The last byte is here, unless the receiver's card is still busy with messages before it.
  bool must_queue(Parcel& parcel) {
    const double now = events_.now();
    double& receiving_until = cards_[parcel.to].receiving_until;
    receiving_until = std::max(now, receiving_until + parcel.wire);
    if (receiving_until <= now) return false;
    parcel.next = Parcel::Next::kLands;
    events_.schedule(receiving_until, parcel);
    return true;
  }

  void learn_uplinks() {
    for (NodeId node = 0; node < platform_.nodes(); ++node) {
      const graph::Hop uplink = platform_.route(node, node == 0 ? 1 : 0).front();
      const graph::Link& link = platform_.links()[uplink.link];
      cards_[node].latency = link.latency;
      cards_[node].bandwidth = link.bandwidth;
    }
  }

  double latency(NodeId from, NodeId to) const {
    if (from == to || !platform_.is_star()) return platform_.latency(from, to);
    return cards_[from].latency + cards_[to].latency;
  }

  double bandwidth(NodeId from, NodeId to) const {
    if (from == to || !platform_.is_star()) return platform_.bandwidth(from, to);
    return std::min(cards_[from].bandwidth, cards_[to].bandwidth);
  }

  const graph::Platform& platform_;
  EventQueue& events_;
  std::vector<Card> cards_;
};

}  // namespace

std::unique_ptr<Network> make_alpha_beta_network(const graph::Platform& platform,
                                                 EventQueue& events) {
  return std::make_unique<AlphaBetaNetwork>(platform, events);
}

}  // namespace pslab::sim
