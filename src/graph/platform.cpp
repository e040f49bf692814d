#include "graph/platform.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"
#include "graph/platform_file.hpp"
#include "graph/router.hpp"
#include "graph/topology.hpp"

namespace pslab::graph {
namespace {

namespace fs = std::filesystem;

fs::path platforms_folder(const std::string& root) {
  return fs::path(root) / "configs" / "platforms";
}

/// Every run reads the file again, so it cannot be a pipe; and nobody need write to one.
config::Value load_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    fail_input("{}: not a regular file; store the platform in a file first", printable(path));
  }
  return config::load_yaml(path);
}

std::vector<std::string> platform_names(const std::string& root) {
  const fs::path folder = platforms_folder(root);
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".yaml") names.push_back(entry->path().stem().string());
  }
  if (error) fail_input("{}: cannot read the folder: {}", folder.string(), error.message());
  std::sort(names.begin(), names.end());
  return names;
}

/// "'a', 'b' and 7 more": enough to find the mistake, short enough to read.
std::string quoted_some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    shown.push_back("'" + names[i] + "'");
  }
  const std::string text = join(shown, ", ");
  return names.size() <= kShown ? text : fmt::format("{} and {} more", text, names.size() - kShown);
}

void check_connected(const PlatformFile& file, const Topology& topology, const Router& router,
                     NodeId nodes) {
  std::vector<std::string> unreached;
  for (NodeId node = 1; node < nodes; ++node) {
    if (!router.connected(0, node)) unreached.push_back(topology.names[node]);
  }
  if (unreached.empty()) return;
  fail_input(
      "{}: no path of links leads from host '{}' to {}. Every two hosts must be connected; "
      "add the missing entry to links",
      file.place, topology.names[0], quoted_some(unreached));
}

/// True if each of the first `nodes` hosts has one link, and all these lead to one switch.
bool hang_off_one_switch(const Topology& topology, NodeId nodes) {
  const auto hosts = static_cast<Vertex>(topology.hosts());
  std::vector<Vertex> uplink_of(nodes, 0);  // the switch; 0, a host, as long as none was seen
  for (const Ends& ends : topology.ends) {
    for (const auto& [host, other] :
         {std::pair(ends.from, ends.to), std::pair(ends.to, ends.from)}) {
      if (host >= nodes) continue;
      if (other < hosts || uplink_of[host] != 0) return false;
      uplink_of[host] = other;
    }
  }
  return uplink_of[0] != 0 && std::all_of(uplink_of.begin(), uplink_of.end(),
                                          [&](Vertex other) { return other == uplink_of[0]; });
}

}  // namespace

Platform::Platform(const config::Value& file, NodeId nodes) : nodes_(nodes) {
  const PlatformFile parsed = read_platform_file(file);
  Topology topology = build_topology(parsed, nodes);
  const auto router = std::make_shared<const Router>(topology);
  check_connected(parsed, topology, *router, nodes);
  name_ = parsed.name;
  description_ = parsed.description;
  loopback_ = {.name = "loopback",
               .bandwidth = parsed.loopback_bandwidth,
               .latency = parsed.loopback_latency};
  costs_ = parsed.costs;
  is_star_ = hang_off_one_switch(topology, nodes);
  router_ = router;
  for (const Ends& ends : topology.ends) first_end_.push_back(ends.from);
  speed_ = std::move(topology.speed);
  speed_.resize(nodes);
  links_ = std::move(topology.links);
}

Platform Platform::load(const std::string& name, NodeId nodes, const std::string& root) {
  if (name.find('/') != std::string::npos || name.ends_with(".yaml")) {
    return Platform(load_file(name), nodes);
  }
  const std::vector<std::string> names = platform_names(root);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    fail_input(
        "unknown platform '{}'.{} Known: {}. For a file of your own give its path, with a '/' "
        "in it or .yaml at its end",
        printable(name), did_you_mean(name, names), join(names, ", "));
  }
  return Platform(load_file((platforms_folder(root) / (name + ".yaml")).string()), nodes);
}

std::vector<Hop> Platform::route(NodeId from, NodeId to) const {
  std::vector<Hop> hops;
  if (from == to) return hops;
  const auto [low, high] = std::minmax(from, to);
  router_->walk(low, high, [&](std::uint32_t link, std::uint32_t at) {
    hops.push_back({.link = link, .forward = (first_end_[link] == at) == (from > to)});
  });
  if (from < to) std::reverse(hops.begin(), hops.end());
  return hops;
}

double Platform::latency(NodeId from, NodeId to) const {
  if (from == to) return loopback_.latency;
  const auto [low, high] = std::minmax(from, to);
  double sum = 0.0;
  router_->walk(low, high, [&](std::uint32_t link, std::uint32_t) { sum += links_[link].latency; });
  return sum;
}

double Platform::bandwidth(NodeId from, NodeId to) const {
  if (from == to) return loopback_.bandwidth;
  const auto [low, high] = std::minmax(from, to);
  double smallest = std::numeric_limits<double>::infinity();
  router_->walk(low, high, [&](std::uint32_t link, std::uint32_t) {
    smallest = std::min(smallest, links_[link].bandwidth);
  });
  return smallest;
}

std::vector<std::pair<std::string, std::string>> list_platforms(const std::string& root) {
  std::vector<std::pair<std::string, std::string>> platforms;
  for (const std::string& name : platform_names(root)) {
    const fs::path file = platforms_folder(root) / (name + ".yaml");
    platforms.emplace_back(name, read_description(load_file(file.string())));
  }
  return platforms;
}

}  // namespace pslab::graph
