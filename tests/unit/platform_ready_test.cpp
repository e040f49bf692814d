// The platform files that come with the project, the examples of their README, and finding them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/yaml.hpp"
#include "graph/platform.hpp"
#include "tests/support/temp_directory.hpp"

namespace pslab::graph {
namespace {

namespace fs = std::filesystem;

std::string root() {
  return fs::path(__FILE__).parent_path().parent_path().parent_path().string();
}

auto fields(const CostTable& c) {
  return std::tuple(c.step, c.flop, c.local_access, c.local_byte, c.send_message, c.receive_message,
                    c.message_byte, c.message_key);
}

TEST(ReadyPlatforms, AreListedSortedWithTheirDescriptions) {
  const auto platforms = list_platforms(root());
  std::vector<std::string> names;
  for (const auto& [name, description] : platforms) {
    names.push_back(name);
    EXPECT_FALSE(description.empty()) << name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"ethernet-10g", "ethernet-1g", "fat-tree", "geo-distributed",
                                      "infiniband-100g", "loopback", "two-racks"}));
}

TEST(ReadyPlatforms, AreOnePerYamlFileOfTheFolder) {
  const test::TempDirectory directory;
  const fs::path empty = directory.path();
  fs::create_directories(empty / "configs" / "platforms");
  EXPECT_TRUE(list_platforms(empty.string()).empty());
  std::ofstream(empty / "configs" / "platforms" / "own.yaml") << "description: mine\n";
  std::ofstream(empty / "configs" / "platforms" / "notes.md") << "no platform\n";
  EXPECT_EQ(list_platforms(empty.string()),
            (std::vector<std::pair<std::string, std::string>>{{"own", "mine"}}));
  fs::remove_all(empty);  // the folder as well
  EXPECT_THROW(list_platforms(empty.string()), InputError);
}

TEST(ReadyPlatforms, ServeAnyNumberOfNodes) {
  for (const auto& [name, description] : list_platforms(root())) {
    for (const NodeId nodes : {1U, 2U, 3U, 8U, 17U, 64U, 1024U}) {
      const Platform platform = Platform::load(name, nodes, root());
      EXPECT_EQ(platform.name(), name);
      EXPECT_EQ(platform.description(), description);
      ASSERT_EQ(platform.nodes(), nodes);
      for (const NodeId other : {nodes / 2, nodes - 1}) {
        EXPECT_GT(platform.latency(0, other), 0.0) << name << " " << nodes;
        EXPECT_GT(platform.bandwidth(0, other), 1e6) << name << " " << nodes;
        EXPECT_EQ(platform.route(0, other).empty(), other == 0) << name << " " << nodes;
      }
    }
  }
}

TEST(ReadyPlatforms, HaveAllOneCostTableAndItIsTheDefault) {
  const Platform bare(config::parse_yaml("description: bare\nhosts: [{name: a}]", "bare.yaml"), 1);
  for (const auto& [name, description] : list_platforms(root())) {
    const Platform platform = Platform::load(name, 2, root());
    EXPECT_EQ(fields(platform.costs()), fields(bare.costs())) << name;
    EXPECT_EQ(platform.loopback().bandwidth, bare.loopback().bandwidth) << name;
    EXPECT_EQ(platform.loopback().latency, bare.loopback().latency) << name;
  }
  EXPECT_DOUBLE_EQ(bare.costs().local_access, 20e-9);
  EXPECT_DOUBLE_EQ(bare.costs().receive_message, 500e-9);
}

TEST(ReadyPlatforms, HaveTheLatenciesThatTheirCommentsPromise) {
  const auto far = [](const char* name) { return Platform::load(name, 64, root()).latency(0, 63); };
  EXPECT_DOUBLE_EQ(far("ethernet-1g"), 25e-6);
  EXPECT_DOUBLE_EQ(far("ethernet-10g"), 10e-6);
  EXPECT_DOUBLE_EQ(far("infiniband-100g"), 1e-6);
  EXPECT_DOUBLE_EQ(far("loopback"), 0.24e-6);
  EXPECT_DOUBLE_EQ(far("two-racks"), 14e-6);
  EXPECT_DOUBLE_EQ(far("fat-tree"), 14e-6);
  EXPECT_DOUBLE_EQ(far("geo-distributed"), 62.01e-3);
}

TEST(ReadyPlatforms, OnOneSwitchAreStars) {
  for (const auto& [name, description] : list_platforms(root())) {
    const bool one_switch =
        name.starts_with("ethernet-") || name == "infiniband-100g" || name == "loopback";
    EXPECT_EQ(Platform::load(name, 64, root()).is_star(), one_switch) << name;
  }
}

TEST(ReadyPlatforms, GiveAnInnerHostOfTwoRacksAQuarterOfItsBandwidthWhenAllTalkAcross) {
  const Platform racks = Platform::load("two-racks", 8, root());
  EXPECT_DOUBLE_EQ(racks.bandwidth(0, 7), 4 * 1.17e9 / 4);
  EXPECT_DOUBLE_EQ(racks.bandwidth(0, 3), 1.17e9);
}

TEST(ReadyPlatforms, AllRoutesOfAFatTreeOf1024NodesAreFoundAndEvenlySpread) {
  const Platform tree = Platform::load("fat-tree", 1024, root());
  std::vector<int> crossings(tree.links().size());
  for (NodeId from = 0; from < 1024; ++from) {
    for (NodeId to = 0; to < 1024; ++to) {
      for (const Hop& hop : tree.route(from, to)) ++crossings[hop.link];
    }
  }
  const auto [least, most] = std::minmax_element(crossings.begin() + 1024, crossings.end());
  EXPECT_EQ(*least, *most);
}

TEST(LoadPlatform, TakesANameOrAPath) {
  EXPECT_EQ(Platform::load("two-racks", 4, root()).links().size(), 6U);
  const std::string path = root() + "/configs/platforms/two-racks.yaml";
  EXPECT_EQ(Platform::load(path, 4, "/nowhere").name(), "two-racks");
}

TEST(LoadPlatform, RefusesAnUnknownNameWithTheNearestOne) {
  try {
    Platform::load("ethernet-10gb", 2, root());
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("Did you mean 'ethernet-10g'?"), std::string::npos) << message;
    EXPECT_NE(message.find("two-racks"), std::string::npos) << message;
  }
  EXPECT_THROW(Platform::load("./two-racks", 2, root()), InputError);
}

TEST(PlatformReadme, ExamplesLoad) {
  std::ifstream file(root() + "/configs/platforms/README.md");
  std::vector<std::string> examples;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```yaml") examples.emplace_back();
    if (inside && line != "```") examples.back() += line + "\n";
    if (line.starts_with("```")) inside = line == "```yaml";
  }
  ASSERT_EQ(examples.size(), 2U);
  const Platform racks(config::parse_yaml(examples[0], "README.md"), 100);
  EXPECT_DOUBLE_EQ(racks.speed(0), 0.5);
  EXPECT_DOUBLE_EQ(racks.costs().send_message, 800e-9);
  EXPECT_DOUBLE_EQ(racks.latency(0, 99), 14e-6);
  const Platform line(config::parse_yaml(examples[1], "README.md"), 2);
  EXPECT_DOUBLE_EQ(line.latency(0, 1), 10e-6);
  EXPECT_THROW(Platform(config::parse_yaml(examples[1], "README.md"), 4), InputError);
}

}  // namespace
}  // namespace pslab::graph
