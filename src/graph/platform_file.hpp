// What a platform file says, checked entry by entry, before it is built for a number of nodes. The
// format is described in configs/platforms/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/costs.hpp"
#include "config/value.hpp"

namespace pslab::graph {

/// "FILE:LINE: hosts[0].name": begins the message about a value that is found wrong later.
using Place = std::string;

struct HostGroup {
  std::string name;
  Place place;
  bool numbered = false;    ///< members are NAME-0, NAME-1, ...; otherwise one host called NAME
  bool rest = false;        ///< as many as the run's nodes need; `count` is unused
  std::uint32_t count = 1;  ///< members
  double speed = 1.0;
};

struct SwitchGroup {
  std::string name;
  Place place;
  bool numbered = false;
  std::uint32_t count = 1;
  std::uint32_t nodes_per_switch = 0;  ///< not 0: one switch for so many nodes; `count` is unused
};

enum class Spread { kBlocks, kRoundRobin, kAll };

struct LinkGroup {
  std::string from;  ///< name of a group, a member or a single host or switch
  std::string to;
  Place place;  ///< of the entry
  Place from_place;
  Place to_place;
  Spread spread = Spread::kBlocks;
  double bandwidth = 0.0;         ///< bytes per second; 0: from oversubscription
  double oversubscription = 0.0;  ///< 0: bandwidth is given
  double latency = 0.0;           ///< seconds
};

struct PlatformFile {
  std::string name;  ///< the file's name without folder and .yaml
  Place place;       ///< of the file
  std::string description;
  std::vector<HostGroup> hosts;
  std::vector<SwitchGroup> switches;
  std::vector<LinkGroup> links;
  double loopback_bandwidth = 0.0;
  double loopback_latency = 0.0;
  CostTable costs;
};

/// Throws InputError for unknown keys, wrong types, units and ranges, and missing entries.
PlatformFile read_platform_file(const config::Value& file);

/// The description alone; throws InputError if it is missing.
std::string read_description(const config::Value& file);

}  // namespace pslab::graph
