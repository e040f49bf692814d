// The least that things can cost on a platform, contention ignored. Seconds.
#pragma once

#include <limits>
#include <vector>

#include "base/types.hpp"
#include "graph/platform.hpp"

namespace pslab::oracle {

class Costs {
 public:
  explicit Costs(const graph::Platform& platform);

  NodeId nodes() const { return nodes_; }

  // Of a worker. `floats`: of a value.
  double compute(NodeId node, double flops, double computations) const;
  /// An access to a key of its own node.
  double local(NodeId node, std::uint32_t floats) const;
  /// Its share of sending a call with so many keys elsewhere, `floats` for each.
  double sending(NodeId node, std::uint32_t call_keys, std::uint32_t floats) const;
  /// From asking the nearest node for a value until it is here.
  double round_trip(NodeId node, std::uint32_t floats) const;
  /// From the moment when a node gives a value away until it is at another one.
  double transfer(NodeId from, NodeId to, std::uint32_t floats) const;
  /// The longest transfer of any two nodes.
  double longest_transfer(std::uint32_t floats) const;
  /// Whether all transfers take the same time.
  bool uniform() const { return shortest_ >= longest_; }

  // Of servers, for one key: to bring a copy, to bring the key, to answer a request.
  double serve_copy(std::uint32_t floats) const;
  double serve_move(std::uint32_t floats) const;
  double serve_request(std::uint32_t call_keys, std::uint32_t floats) const;

 private:
  double latency(NodeId from, NodeId to) const {
    return latencies_[std::size_t{from} * nodes_ + to];
  }

  NodeId nodes_;
  CostTable table_;
  std::vector<double> speeds_;  ///< by node
  double fastest_ = 1.0;        ///< of the speeds
  double wire_byte_ = 0.0;      ///< seconds that a byte takes on the fastest link
  std::vector<double> latencies_;
  std::vector<double> nearest_;  ///< by node: latency there and back
  double longest_ = 0.0;         ///< latency
  double shortest_ = std::numeric_limits<double>::infinity();
};

}  // namespace pslab::oracle
