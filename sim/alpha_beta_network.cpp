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
  }

  void send(NodeId from, NodeId to, std::size_t bytes, Parcel& parcel) override {
    if (idle_.empty()) {
      transits_.emplace_back(*this);
      idle_.push_back(&transits_.back());
    }
    Transit& transit = *idle_.back();
    idle_.pop_back();
    const double now = events_.now();
    const double wire = static_cast<double>(bytes) / platform_.bandwidth(from, to);
    transit.parcel_ = &parcel;
    transit.to_ = to;
    transit.wire_ = wire;
    transit.received_ = from == to;
    double leaves = now + wire;
    if (from != to) {
      Card& card = cards_[from];
      card.sending_until = std::max(now, card.sending_until) + wire;
      leaves = card.sending_until;
    }
    events_.schedule(leaves + platform_.latency(from, to), transit);
  }

 private:
  struct Card {
    double sending_until = 0.0;
    double receiving_until = 0.0;
  };

  /// A message between the cards. Its last byte comes at the time of the event, unless the
  /// receiver's card is still busy with messages that came before: then it queues there.
  class Transit final : public Event {
   public:
    explicit Transit(AlphaBetaNetwork& network) : network_(network) {}
    void happen() override {
      if (!received_) {
        received_ = true;
        Card& card = network_.cards_[to_];
        const double now = network_.events_.now();
        card.receiving_until = std::max(now, card.receiving_until + wire_);
        if (card.receiving_until > now) {
          network_.events_.schedule(card.receiving_until, *this);
          return;
        }
      }
      Parcel& parcel = *parcel_;
      network_.idle_.push_back(this);
      parcel.landed();
    }

    Parcel* parcel_ = nullptr;
    NodeId to_ = 0;
    double wire_ = 0.0;  ///< seconds that the bytes take on the slowest link
    bool received_ = false;

   private:
    AlphaBetaNetwork& network_;
  };

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
