// A cluster as a graph: hosts, switches and links, with routes computed by Boost.Graph, and what
// things cost on its hosts. Read from YAML (configs/platforms/README.md); built for a number of
// nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/costs.hpp"
#include "base/types.hpp"
#include "config/value.hpp"

namespace pslab::graph {

struct Link {
  std::string name;
  double bandwidth = 0.0;  ///< bytes per second, in each direction
  double latency = 0.0;    ///< seconds, one way
};

/// One link of a route and the direction in which it is crossed. Both directions have the link's
/// full bandwidth (full duplex).
struct Hop {
  std::uint32_t link = 0;  ///< index into Platform::links()
  bool forward = true;     ///< from the end that the file names first to the other
  bool operator==(const Hop&) const = default;
};

class Router;

/// Immutable, cheap to copy. Routes are searched for on first use, so one object and its copies
/// belong to one thread at a time.
class Platform {
 public:
  /// Builds the platform for `nodes` hosts from a parsed platform file. Throws InputError when the
  /// file is wrong or cannot hold that many nodes.
  Platform(const config::Value& file, NodeId nodes);

  /// `name` is a file name of configs/platforms without .yaml, or a path to a file (contains '/' or
  /// ends in .yaml). `root` is the project's root folder.
  static Platform load(const std::string& name, NodeId nodes, const std::string& root);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  NodeId nodes() const { return nodes_; }
  const std::vector<Link>& links() const { return links_; }
  const Link& loopback() const { return loopback_; }  ///< for messages of a node to itself
  const CostTable& costs() const { return costs_; }
  /// 1: costs as in the table; 2: half of them.
  double speed(NodeId node) const { return speed_[node]; }

  /// Links from one host to another, shortest by latency, then by number of links; over equally
  /// short paths the pairs of hosts are spread (router.hpp). Empty for from == to. Deterministic,
  /// and the reverse of route(to, from). By value: a route is a few hops, and keeping those of all
  /// pairs of 1,024 hosts would not pay; searches are kept per source.
  std::vector<Hop> route(NodeId from, NodeId to) const;
  double latency(NodeId from, NodeId to) const;    ///< sum over the route, or the loopback's
  double bandwidth(NodeId from, NodeId to) const;  ///< smallest on the route, or the loopback's

  /// True if every route is one uplink of the sender followed by one uplink of the receiver: all
  /// hosts hang off one switch. False if there is no switch (one host without links).
  bool is_star() const { return is_star_; }

 private:
  std::string name_;
  std::string description_;
  NodeId nodes_ = 0;
  std::vector<Link> links_;
  std::vector<std::uint32_t> first_end_;  ///< by link: the vertex that the file names first
  std::vector<double> speed_;
  Link loopback_;
  CostTable costs_;
  bool is_star_ = false;
  std::shared_ptr<const Router> router_;
};

/// Names of the platform files in configs/platforms with their description, sorted.
std::vector<std::pair<std::string, std::string>> list_platforms(const std::string& root);

}  // namespace pslab::graph
