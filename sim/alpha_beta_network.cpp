// The fast model: start-up latency (alpha) plus time per byte (beta), with one queue per network
// card and direction. What lies between the cards is never congested.
#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <deque>
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

  void send(NodeId from, NodeId to, std::size_t bytes, double delay, Parcel& parcel) override {
    if (idle_.empty()) {
      transits_.emplace_back(*this);
      idle_.push_back(&transits_.back());
    }
    Transit& transit = *idle_.back();
    idle_.pop_back();
    transit.parcel_ = &parcel;
    transit.from_ = from;
    transit.to_ = to;
    transit.wire_ = static_cast<double>(bytes) / bandwidth(from, to);
    if (delay > 0.0) {
      transit.next_ = Stage::kLeaves;
      events_.schedule(events_.now() + delay, transit);
    } else {
      transit.leave();
    }
  }

 private:
  struct Card {
    double sending_until = 0.0;
    double receiving_until = 0.0;
    double latency = 0.0;    ///< of the host's link, in a star
    double bandwidth = 0.0;  ///< the same
  };

  enum class Stage { kLeaves, kReachesCard, kLands };

  /// A message on its way from card to card.
  class Transit final : public Event {
   public:
    explicit Transit(AlphaBetaNetwork& network) : network_(network) {}

    void happen() override {
      if (next_ == Stage::kLeaves) return leave();
      if (next_ == Stage::kReachesCard && must_queue()) return;
      Parcel& parcel = *parcel_;
      network_.idle_.push_back(this);
      parcel.landed();
    }

    /// Queues at the sender's card.
    void leave() {
      double left = network_.events_.now() + wire_;
      next_ = Stage::kLands;
      if (from_ != to_) {
        double& sending_until = network_.cards_[from_].sending_until;
        sending_until = std::max(network_.events_.now(), sending_until) + wire_;
        left = sending_until;
        next_ = Stage::kReachesCard;
      }
      network_.events_.schedule(left + network_.latency(from_, to_), *this);
    }

    Parcel* parcel_ = nullptr;
    NodeId from_ = 0;
    NodeId to_ = 0;
    double wire_ = 0.0;  ///< seconds that the bytes take on the slowest link
    Stage next_ = Stage::kLeaves;

   private:
    /// The last byte is here, unless the receiver's card is still busy with messages before it.
    bool must_queue() {
      const double now = network_.events_.now();
      double& receiving_until = network_.cards_[to_].receiving_until;
      receiving_until = std::max(now, receiving_until + wire_);
      if (receiving_until <= now) return false;
      next_ = Stage::kLands;
      network_.events_.schedule(receiving_until, *this);
      return true;
    }

    AlphaBetaNetwork& network_;
  };

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
  std::deque<Transit> transits_;
  std::vector<Transit*> idle_;
};

}  // namespace

std::unique_ptr<Network> make_alpha_beta_network(const graph::Platform& platform,
                                                 EventQueue& events) {
  return std::make_unique<AlphaBetaNetwork>(platform, events);
}

}  // namespace pslab::sim
