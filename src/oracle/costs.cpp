#include "oracle/costs.hpp"

#include <algorithm>
#include <limits>

#include "api/message.hpp"

namespace pslab::oracle {
namespace {

constexpr double kRequest = sizeof(MessageHeader) + sizeof(MessageKey);  ///< bytes, for one key

double value_bytes(std::uint32_t floats) {
  return static_cast<double>(floats) * sizeof(float);
}

}  // namespace

Costs::Costs(const graph::Platform& platform)
    : nodes_(platform.nodes()),
      table_(platform.costs()),
      latencies_(std::size_t{nodes_} * nodes_, 0.0),
      nearest_(nodes_, std::numeric_limits<double>::infinity()) {
  double bandwidth = 0.0;
  for (const graph::Link& link : platform.links()) bandwidth = std::max(bandwidth, link.bandwidth);
  if (bandwidth > 0.0) wire_byte_ = 1.0 / bandwidth;
  fastest_ = 0.0;
  for (NodeId from = 0; from < nodes_; ++from) {
    speeds_.push_back(platform.speed(from));
    fastest_ = std::max(fastest_, speeds_.back());
    for (NodeId to = 0; to < nodes_; ++to) {
      if (from == to) continue;
      const double one_way = platform.latency(from, to);
      latencies_[std::size_t{from} * nodes_ + to] = one_way;
      nearest_[from] = std::min(nearest_[from], one_way + platform.latency(to, from));
      longest_ = std::max(longest_, one_way);
      shortest_ = std::min(shortest_, one_way);
    }
  }
}

double Costs::compute(NodeId node, double flops, double computations) const {
  return (computations * table_.step + flops * table_.flop) / speeds_[node];
}

double Costs::local(NodeId node, std::uint32_t floats) const {
  return (table_.local_access + value_bytes(floats) * table_.local_byte) / speeds_[node];
}

double Costs::sending(NodeId node, std::uint32_t call_keys, std::uint32_t floats) const {
  const double message = table_.send_message + sizeof(MessageHeader) * table_.message_byte;
  const double key = (sizeof(MessageKey) + value_bytes(floats)) * table_.message_byte;
  return (message / call_keys + key) / speeds_[node];
}

double Costs::round_trip(NodeId node, std::uint32_t floats) const {
  const double bytes = 2.0 * kRequest + value_bytes(floats);
  const double processors = 2.0 * (table_.send_message + table_.receive_message +
                                   table_.message_key + bytes * table_.message_byte);
  return processors / fastest_ + bytes * wire_byte_ + nearest_[node];
}

double Costs::transfer(NodeId from, NodeId to, std::uint32_t floats) const {
  const double bytes = kRequest + value_bytes(floats);
  return (table_.send_message + bytes * table_.message_byte) / fastest_ + bytes * wire_byte_ +
         latency(from, to);
}

double Costs::longest_transfer(std::uint32_t floats) const {
  return transfer(0, 0, floats) + longest_;
}

double Costs::serve_copy(std::uint32_t floats) const {
  return (2.0 * value_bytes(floats) * table_.message_byte + table_.message_key) / fastest_;
}

double Costs::serve_move(std::uint32_t floats) const {
  return serve_copy(floats) + 2.0 * sizeof(MessageKey) * table_.message_byte / fastest_;
}

double Costs::serve_request(std::uint32_t call_keys, std::uint32_t floats) const {
  const double messages = 2.0 * table_.receive_message + table_.send_message +
                          3.0 * sizeof(MessageHeader) * table_.message_byte;
  const double key = 2.0 * table_.message_key +
                     (3.0 * sizeof(MessageKey) + 2.0 * value_bytes(floats)) * table_.message_byte;
  return (messages / call_keys + key) / fastest_;
}

}  // namespace pslab::oracle
