// Routes through platforms whose latencies and bandwidths can be worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "graph/platform.hpp"

namespace pslab::graph {
namespace {

Platform build(const std::string& text, NodeId nodes) {
  return Platform(config::parse_yaml("description: a test\n" + text, "test.yaml"), nodes);
}

/// "node-0--rack-0 > ..."; a link crossed against its direction is written with '<' before it.
std::string path(const Platform& platform, NodeId from, NodeId to) {
  std::string text;
  for (const Hop& hop : platform.route(from, to)) {
    text += (text.empty() ? "" : " ") + std::string(hop.forward ? "" : "<") +
            platform.links()[hop.link].name;
  }
  return text;
}

const char* const kStar = R"(
hosts: [{name: node, count: rest}]
switches: [{name: switch}]
links: [{from: node, to: switch, bandwidth: 1 GB/s, latency: 5 us}]
loopback: {bandwidth: 8 GB/s, latency: 300 ns}
)";

const char* const kTwoRacks = R"(
hosts: [{name: node, count: rest}]
switches: [{name: rack, count: 2}, {name: core}]
links:
  - {from: node, to: rack, bandwidth: 1 GB/s, latency: 5 us}
  - {from: rack, to: core, oversubscription: 4, latency: 2 us}
)";

const char* const kLeafSpine = R"(
hosts: [{name: node, count: rest}]
switches: [{name: leaf, nodes_per_switch: 4}, {name: spine, count: 4}]
links:
  - {from: node, to: leaf, bandwidth: 1 GB/s, latency: 5 us}
  - {from: leaf, to: spine, spread: all, bandwidth: 1 GB/s, latency: 1 us}
)";

TEST(PlatformRoutes, AStarRouteIsTheSendersUplinkAndThenTheReceivers) {
  const Platform star = build(kStar, 4);
  EXPECT_EQ(path(star, 1, 3), "node-1--switch <node-3--switch");
  EXPECT_EQ(path(star, 3, 1), "node-3--switch <node-1--switch");
  EXPECT_DOUBLE_EQ(star.latency(1, 3), 10e-6);
  EXPECT_DOUBLE_EQ(star.bandwidth(1, 3), 1e9);
}

TEST(PlatformRoutes, ANodeReachesItselfThroughTheLoopback) {
  const Platform star = build(kStar, 4);
  EXPECT_TRUE(star.route(2, 2).empty());
  EXPECT_DOUBLE_EQ(star.latency(2, 2), 300e-9);
  EXPECT_DOUBLE_EQ(star.bandwidth(2, 2), 8e9);
}

TEST(PlatformRoutes, OnlyOneSwitchWithOneLinkPerHostIsAStar) {
  EXPECT_TRUE(build(kStar, 1).is_star());
  EXPECT_TRUE(build(kStar, 8).is_star());
  EXPECT_FALSE(build(kTwoRacks, 8).is_star());
  EXPECT_FALSE(build("hosts: [{name: alone}]", 1).is_star());
  const std::string two =
      "hosts: [{name: a}, {name: b}]\nswitches: [{name: s}, {name: t}]\nlinks:\n";
  const auto link = [](const std::string& from, const std::string& to) {
    return "  - {from: " + from + ", to: " + to + ", bandwidth: 1 GB/s, latency: 1 us}\n";
  };
  EXPECT_TRUE(build(two + link("a", "s") + link("s", "b"), 2).is_star());
  EXPECT_FALSE(build(two + link("a", "s") + link("s", "b") + link("a", "b"), 2).is_star());
  EXPECT_FALSE(build(two + link("b", "t") + link("a", "s") + link("s", "b"), 2).is_star());
  const std::string around_a_host = "hosts: [{name: a}, {name: b}, {name: hub}]\nlinks:\n";
  EXPECT_FALSE(build(around_a_host + link("a", "hub") + link("b", "hub"), 2).is_star());
}

TEST(PlatformRoutes, RacksAreFilledInBlocksAndUplinksShareTheHostsBandwidth) {
  const Platform racks = build(kTwoRacks, 8);
  EXPECT_EQ(path(racks, 0, 3), "node-0--rack-0 <node-3--rack-0");
  EXPECT_DOUBLE_EQ(racks.latency(0, 3), 10e-6);
  EXPECT_EQ(path(racks, 3, 4), "node-3--rack-0 rack-0--core <rack-1--core <node-4--rack-1");
  EXPECT_DOUBLE_EQ(racks.latency(3, 4), 14e-6);
  EXPECT_DOUBLE_EQ(racks.bandwidth(3, 4), 4 * 1e9 / 4);
  // 3 hosts: two in the first rack, one in the second, whose uplink is the smaller.
  EXPECT_DOUBLE_EQ(build(kTwoRacks, 3).bandwidth(0, 2), 1e9 / 4);
}

TEST(PlatformRoutes, ASwitchWithoutHostsGetsNoOversubscribedUplink) {
  const Platform racks = build(kTwoRacks, 1);
  ASSERT_EQ(racks.links().size(), 2U);
  EXPECT_EQ(racks.links()[1].name, "rack-0--core");
}

TEST(PlatformRoutes, OversubscriptionCountsTierByTierAndOverAllUplinksOfASwitch) {
  const Platform tree = build(R"(
hosts: [{name: node, count: 8}]
switches: [{name: rack, count: 4}, {name: middle, count: 2}, {name: top, count: 2}]
links:
  - {from: node, to: rack, bandwidth: 1 GB/s, latency: 1 us}
  - {from: rack, to: middle, oversubscription: 2, latency: 1 us}
  - {from: middle, to: top, spread: all, oversubscription: 5, latency: 1 us}
)",
                              8);
  EXPECT_DOUBLE_EQ(tree.bandwidth(0, 2), 2 * 1e9 / 2);
  EXPECT_DOUBLE_EQ(tree.bandwidth(0, 7), 2 * 1e9 / 5 / 2);
}

TEST(PlatformRoutes, RoundRobinDealsHostsOutInTurn) {
  const Platform racks = build(R"(
hosts: [{name: node, count: rest}]
switches: [{name: rack, count: 2}]
links:
  - {from: node, to: rack, spread: round_robin, bandwidth: 1 GB/s, latency: 5 us}
  - {from: rack, to: rack, spread: all, bandwidth: 1 GB/s, latency: 3 us}
)",
                               5);
  EXPECT_EQ(path(racks, 0, 4), "node-0--rack-0 <node-4--rack-0");
  EXPECT_EQ(path(racks, 0, 3), "node-0--rack-0 rack-0--rack-1 <node-3--rack-1");
  EXPECT_DOUBLE_EQ(racks.latency(0, 3), 13e-6);
}

TEST(PlatformRoutes, AFatTreeSpreadsPairsEvenlyOverItsSpines) {
  const Platform tree = build(kLeafSpine, 16);
  // Every host of leaf 0 sends to the one across on leaf 3: all four must use links of their own.
  std::set<std::uint32_t> uplinks;
  for (NodeId i = 0; i < 4; ++i) {
    const std::vector<Hop> route = tree.route(i, 12 + i);
    ASSERT_EQ(route.size(), 4U);
    uplinks.insert(route[1].link);
    EXPECT_DOUBLE_EQ(tree.latency(i, 12 + i), 12e-6);
  }
  EXPECT_EQ(uplinks.size(), 4U);
  std::map<std::uint32_t, int> crossings;
  for (NodeId from = 0; from < 16; ++from) {
    for (NodeId to = 0; to < 16; ++to) {
      for (const Hop& hop : tree.route(from, to)) {
        if (hop.link >= 16) ++crossings[hop.link];
      }
    }
  }
  ASSERT_EQ(crossings.size(), 16U);  // 4 leaves to 4 spines
  for (const auto& [link, count] : crossings) EXPECT_EQ(count, 2 * 4 * 12 / 4) << link;
}

TEST(PlatformRoutes, ALineOfHostsIsCrossedLinkByLinkInBothDirections) {
  const Platform line = build(R"(
hosts: [{name: left}, {name: middle, speed: 0.5}, {name: right}]
links:
  - {from: left, to: middle, bandwidth: 1 GB/s, latency: 10 us}
  - {from: middle, to: right, bandwidth: 800 Mbit/s, latency: 1 ms}
)",
                              3);
  EXPECT_EQ(path(line, 0, 2), "left--middle middle--right");
  EXPECT_EQ(path(line, 2, 0), "<middle--right <left--middle");
  EXPECT_DOUBLE_EQ(line.latency(0, 2), 1.01e-3);
  EXPECT_DOUBLE_EQ(line.bandwidth(0, 2), 1e8);
  EXPECT_DOUBLE_EQ(line.bandwidth(0, 1), 1e9);
  EXPECT_DOUBLE_EQ(line.speed(0), 1.0);
  EXPECT_DOUBLE_EQ(line.speed(1), 0.5);
}

TEST(PlatformRoutes, TheSmallerLatencyWinsAndThenTheFewerLinks) {
  const std::string hosts = "hosts: [{name: a}, {name: b}, {name: c}]\nlinks:\n";
  const std::string detour =
      "  - {from: a, to: c, bandwidth: 1 MB/s, latency: 10 us}\n"
      "  - {from: c, to: b, bandwidth: 1 MB/s, latency: 20 us}\n";
  const std::string direct = "  - {from: a, to: b, bandwidth: 1 GB/s, latency: ";
  EXPECT_EQ(path(build(hosts + detour + direct + "31 us}\n", 3), 0, 1), "a--c c--b");
  EXPECT_EQ(path(build(hosts + detour + direct + "30 us}\n", 3), 0, 1), "a--b");
  EXPECT_EQ(path(build(hosts + direct + "30 us}\n" + detour, 3), 0, 1), "a--b");
}

TEST(PlatformRoutes, ASlowGroupComesFirstAndTheRestFollows) {
  const Platform mixed = build(R"(
hosts: [{name: slow, count: 2, speed: 0.25}, {name: node, count: rest}]
switches: [{name: switch}]
links:
  - {from: slow, to: switch, bandwidth: 1 GB/s, latency: 5 us}
  - {from: node, to: switch, bandwidth: 1 GB/s, latency: 5 us}
)",
                               4);
  EXPECT_EQ(path(mixed, 1, 2), "slow-1--switch <node-0--switch");
  EXPECT_DOUBLE_EQ(mixed.speed(1), 0.25);
  EXPECT_DOUBLE_EQ(mixed.speed(2), 1.0);
  EXPECT_TRUE(mixed.is_star());
}

TEST(PlatformRoutes, ARouteBackIsTheRouteReversed) {
  for (const char* text : {kStar, kTwoRacks, kLeafSpine}) {
    const Platform platform = build(text, 14);
    for (NodeId from = 0; from < 14; ++from) {
      for (NodeId to = 0; to < 14; ++to) {
        std::vector<Hop> back = platform.route(to, from);
        std::reverse(back.begin(), back.end());
        for (Hop& hop : back) hop.forward = !hop.forward;
        ASSERT_EQ(platform.route(from, to), back) << from << " to " << to;
        ASSERT_EQ(platform.latency(from, to), platform.latency(to, from));
        ASSERT_EQ(platform.bandwidth(from, to), platform.bandwidth(to, from));
      }
    }
  }
}

TEST(PlatformRoutes, DoNotDependOnTheOrderInWhichTheyAreAskedFor) {
  const Platform one = build(kLeafSpine, 16);
  const Platform other = build(kLeafSpine, 16);
  std::vector<std::vector<Hop>> routes;
  for (NodeId pair = 0; pair < 256; ++pair) routes.push_back(one.route(pair / 16, pair % 16));
  for (NodeId pair = 256; pair-- > 0;) {
    ASSERT_EQ(other.route(pair / 16, pair % 16), routes[pair]);
    ASSERT_EQ(one.route(pair / 16, pair % 16), routes[pair]);
  }
}

}  // namespace
}  // namespace pslab::graph
