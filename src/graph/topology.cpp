#include "graph/topology.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::graph {
namespace {

class Builder {
 public:
  Builder(const PlatformFile& file, NodeId nodes) : file_(file), nodes_(nodes) {}

  Topology build() {
    add_hosts();
    add_switches();
    below_.assign(topology_.names.size(), 0.0);
    for (const LinkGroup& group : file_.links) connect(group);
    return std::move(topology_);
  }

 private:
  void add_hosts();
  void add_switches();
  void add_members(const std::string& name, const Place& place, bool numbered, std::uint32_t count);
  void claim(const std::string& name, const Place& place);
  const std::vector<Vertex>& resolve(const std::string& name, const Place& place) const;
  void connect(const LinkGroup& group);
  void add_link(const LinkGroup& group, Vertex from, Vertex to, double bandwidth);

  const PlatformFile& file_;
  NodeId nodes_;
  Topology topology_;
  std::vector<std::string> groups_;  // what links may name, without the members of groups
  std::unordered_map<std::string, std::vector<Vertex>> members_;
  std::unordered_map<std::string, Place> claimed_;
  std::map<std::pair<Vertex, Vertex>, Place> linked_;
  std::vector<double> below_;  // by vertex: bandwidth of the links that lead up to it
};

/// Names are shared by hosts, switches, groups and members, since a link may name any of them.
void Builder::claim(const std::string& name, const Place& place) {
  const auto [it, is_new] = claimed_.emplace(name, place);
  if (is_new) return;
  fail_input(
      "{}: the name '{}' is already taken by {}. Names of hosts, switches, groups and their "
      "members (GROUP-0, GROUP-1, ...) must differ",
      place, name, it->second);
}

void Builder::add_members(const std::string& name, const Place& place, bool numbered,
                          std::uint32_t count) {
  claim(name, place);
  groups_.push_back(name);
  std::vector<Vertex>& group = members_[name];
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto vertex = static_cast<Vertex>(topology_.names.size());
    std::string member = numbered ? fmt::format("{}-{}", name, i) : name;
    group.push_back(vertex);
    if (numbered) {
      claim(member, place);
      members_[member] = {vertex};
    }
    topology_.names.push_back(std::move(member));
  }
}

void Builder::add_hosts() {
  std::uint64_t fixed = 0;
  const HostGroup* rest = nullptr;
  for (const HostGroup& group : file_.hosts) {
    if (!group.rest) {
      fixed += group.count;
    } else if (rest == nullptr) {
      rest = &group;
    } else {
      fail_input("{}: only one entry of hosts can have `count: rest`; '{}' has it already",
                 group.place, rest->name);
    }
  }
  if (rest == nullptr && fixed < nodes_) {
    fail_input(
        "{}: this platform has {}, but the run needs {}. Lower cluster.nodes, "
        "or give a group of hosts `count: rest`",
        file_.place, counted(fixed, "host"), counted(nodes_, "node"));
  }
  const auto remaining =
      static_cast<std::uint32_t>(nodes_ - std::min<std::uint64_t>(nodes_, fixed));
  for (const HostGroup& group : file_.hosts) {
    add_members(group.name, group.place, group.numbered, group.rest ? remaining : group.count);
    topology_.speed.resize(topology_.names.size(), group.speed);
  }
}

void Builder::add_switches() {
  for (const SwitchGroup& group : file_.switches) {
    const std::uint32_t per_switch = group.nodes_per_switch;
    const std::uint32_t count = per_switch == 0 ? group.count : (nodes_ - 1) / per_switch + 1;
    add_members(group.name, group.place, group.numbered, count);
  }
}

const std::vector<Vertex>& Builder::resolve(const std::string& name, const Place& place) const {
  const auto found = members_.find(name);
  if (found != members_.end()) return found->second;
  std::string known;
  for (const std::string& group : groups_) {
    const std::vector<Vertex>& members = members_.at(group);
    if (!known.empty()) known += ", ";
    known += group;
    if (members.empty()) {
      known += " (empty)";
    } else if (topology_.names[members.front()] != group) {
      known += fmt::format(" ({} .. {})", topology_.names[members.front()],
                           topology_.names[members.back()]);
    }
  }
  fail_input("{}: no host, switch or group is named '{}' on {} nodes.{} There are: {}", place,
             printable(name), nodes_, did_you_mean(name, groups_), known);
}

void Builder::add_link(const LinkGroup& group, Vertex from, Vertex to, double bandwidth) {
  const std::string name = fmt::format("{}--{}", topology_.names[from], topology_.names[to]);
  if (from == to) {
    fail_input(
        "{}: would link '{}' to itself. Use `spread: all` for links among all members of a "
        "group",
        group.place, topology_.names[from]);
  }
  const auto [it, is_new] = linked_.emplace(std::minmax(from, to), group.place);
  if (!is_new) {
    fail_input(
        "{}: '{}' and '{}' are linked already by {}. Use one link with the sum of the "
        "bandwidths",
        group.place, topology_.names[from], topology_.names[to], it->second);
  }
  topology_.links.push_back({.name = name, .bandwidth = bandwidth, .latency = group.latency});
  topology_.ends.push_back({.from = from, .to = to});
  below_[to] += bandwidth;
}

void Builder::connect(const LinkGroup& group) {
  const std::vector<Vertex>& from = resolve(group.from, group.from_place);
  const std::vector<Vertex>& to = resolve(group.to, group.to_place);
  const bool mesh = group.from == group.to;
  const bool by_factor = group.oversubscription > 0.0;
  const bool to_all = group.spread == Spread::kAll;
  const std::vector<double> below = below_;  // these links must not count for each other
  if (to.empty()) return;
  for (std::size_t i = 0; i < from.size(); ++i) {
    double bandwidth = group.bandwidth;
    if (by_factor) {
      // Nothing below: such a switch carries no traffic and needs no uplink.
      if (below[from[i]] == 0.0) continue;
      const std::size_t uplinks = !to_all ? 1 : mesh ? to.size() - 1 : to.size();
      bandwidth = below[from[i]] / group.oversubscription / static_cast<double>(uplinks);
    }
    if (!to_all) {
      const std::size_t j =
          group.spread == Spread::kBlocks ? i * to.size() / from.size() : i % to.size();
      add_link(group, from[i], to[j], bandwidth);
      continue;
    }
    for (std::size_t j = mesh ? i + 1 : 0; j < to.size(); ++j) {
      add_link(group, from[i], to[j], bandwidth);
    }
  }
  const auto has_below = [&below](Vertex vertex) { return below[vertex] > 0.0; };
  if (by_factor && std::none_of(from.begin(), from.end(), has_below)) {
    fail_input(
        "{}: oversubscription is the bandwidth of the links that lead to '{}' over that of "
        "these, but no entry before this one leads there. Put that entry first, or give a "
        "bandwidth",
        group.place, group.from);
  }
}

}  // namespace

Topology build_topology(const PlatformFile& file, NodeId nodes) {
  if (nodes == 0) fail_input("{}: a platform needs at least 1 node", file.place);
  return Builder(file, nodes).build();
}

}  // namespace pslab::graph
