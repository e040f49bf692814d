// How long a message takes from one node to another. Two models behind one interface:
//  flow: SimGrid's fluid model (CM02 without cross-traffic); flows share every link of their route
//  fairly.
//  alpha_beta: latency plus size over the route's smallest bandwidth, with a queue at the sender's
//  and one at the receiver's network card; shared links in between are not modelled. Several times
//  faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/platform.hpp"
#include "sim/event_queue.hpp"

namespace pslab::sim {

class Network;

/// A message on its way. The network calls landed() when its last byte is at the receiver.
class Parcel : public Event {
 public:
  explicit Parcel(Network& network) : network_(network) {}
  void happen() final;
  virtual void landed() = 0;

  NodeId from = 0;
  NodeId to = 0;
  std::size_t bytes = 0;

  // The network's own notes.
  double wire = 0.0;  ///< seconds that the bytes take on the slowest link
  enum class Next : std::uint8_t { kLeaves, kReachesCard, kLands } next = Next::kLeaves;

 private:
  Network& network_;
};

class Network {
 public:
  virtual ~Network() = default;
  /// Leaves after `delay` seconds. Never lets another actor run, so that a call with several
  /// messages is atomic. Parcels between two nodes may land in another order than sent; the caller
  /// restores it.
  virtual void send(Parcel& parcel, double delay) = 0;
  /// What the parcel was scheduled for.
  virtual void proceed(Parcel& parcel) = 0;
};

inline void Parcel::happen() {
  network_.proceed(*this);
}

std::unique_ptr<Network> make_flow_network(const graph::Platform& platform, EventQueue& events);
std::unique_ptr<Network> make_alpha_beta_network(const graph::Platform& platform,
                                                 EventQueue& events);

}  // namespace pslab::sim
