// Wrong platform files: what is refused, and that the message leads to the mistake.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/yaml.hpp"
#include "graph/platform.hpp"

namespace pslab::graph {
namespace {

/// The message about `text` as test.yaml; "" if it is accepted.
std::string error_of(const std::string& text, NodeId nodes = 2) {
  try {
    const Platform platform(config::parse_yaml(text, "test.yaml"), nodes);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

void expect_all(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in: " << message;
  }
}

/// A right platform on eleven lines; the cases below replace one of them.
std::string with_line(std::size_t number, const std::string& line) {
  std::vector<std::string> lines = {
      "description: a test",                                              // 1
      "hosts:",                                                           // 2
      "  - {name: node, count: rest, speed: 1}",                          // 3
      "switches:",                                                        // 4
      "  - {name: switch}",                                               // 5
      "  - {name: rack, count: 2}",                                       // 6
      "links:",                                                           // 7
      "  - {from: node, to: switch, bandwidth: 1 GB/s, latency: 5 us}",   // 8
      "  - {from: switch, to: rack-0, bandwidth: 1 GB/s, latency: 0 s}",  // 9
      "loopback: {bandwidth: 1 GB/s, latency: 1 us}",                     // 10
      "costs: {step: 1 us}"};                                             // 11
  lines.at(number - 1) = line;
  std::string text;
  for (const std::string& each : lines) text += each + "\n";
  return text;
}

struct Case {
  std::string name;
  std::size_t line;
  std::string text;
  std::vector<std::string> parts;  // of the message
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class PlatformErrors : public testing::TestWithParam<Case> {};

TEST_P(PlatformErrors, AreRefusedWithPlaceAndReason) {
  const Case& c = GetParam();
  const std::string message = error_of(with_line(c.line, c.text));
  ASSERT_NE(message, "") << "accepted: " << c.text;
  expect_all(message, c.parts);
}

const char* const kLink = "  - {from: node, to: switch, ";

INSTANTIATE_TEST_SUITE_P(
    Lines, PlatformErrors,
    testing::Values(
        Case{"UnknownSection", 11, "cost: {step: 1 us}", {"test.yaml:11", "cost", "'costs'"}},
        Case{"UnknownHostKey", 3, "  - {name: node, cuont: rest}", {"test.yaml:3", "'count'"}},
        Case{"UnknownSwitchKey", 5, "  - {nam: switch}", {"test.yaml:5", "'name'"}},
        Case{"UnknownLinkKey",
             8,
             std::string(kLink) + "bandwith: 1 GB/s, latency: 5 us}",
             {"test.yaml:8", "bandwith", "'bandwidth'"}},
        Case{"UnknownCost", 11, "costs: {flops: 1 ns}", {"test.yaml:11", "costs.flops", "'flop'"}},
        Case{"UnknownLoopbackKey", 10, "loopback: {delay: 1 us}", {"test.yaml:10", "delay"}},
        Case{"NoUnit",
             8,
             std::string(kLink) + "bandwidth: 10, latency: 5 us}",
             {"test.yaml:8", "links[0].bandwidth", "10", "a unit after the number", "GB/s"}},
        Case{"WrongUnit",
             8,
             std::string(kLink) + "bandwidth: 10 Gbps, latency: 5 us}",
             {"test.yaml:8", "links[0].bandwidth", "'Gbps'", "did you mean 'Gbit/s'?"}},
        Case{"TimeForBandwidth",
             8,
             std::string(kLink) + "bandwidth: 10 us, latency: 5 us}",
             {"test.yaml:8", "and not 'us'"}},
        Case{"ZeroBandwidth",
             8,
             std::string(kLink) + "bandwidth: 0 GB/s, latency: 5 us}",
             {"test.yaml:8", "links[0].bandwidth", "0 GB/s", "1 B/s .. "}},
        Case{"NegativeLatency",
             9,
             "  - {from: switch, to: rack-0, bandwidth: 1 GB/s, latency: -1 us}",
             {"test.yaml:9", "links[1].latency", "-1 us", "0 s .. 100 s"}},
        Case{"NoBandwidth",
             8,
             std::string(kLink) + "latency: 5 us}",
             {"test.yaml:8", "links[0]", "no bandwidth", "oversubscription"}},
        Case{"BandwidthAndFactor",
             8,
             std::string(kLink) + "bandwidth: 1 GB/s, oversubscription: 2, latency: 5 us}",
             {"test.yaml:8", "links[0].oversubscription", "not both"}},
        Case{"FactorZero",
             9,
             "  - {from: switch, to: rack-0, oversubscription: 0, latency: 5 us}",
             {"test.yaml:9", "links[1].oversubscription", "0.001"}},
        Case{"FactorWithNothingBelow",
             9,
             "  - {from: rack-0, to: switch, oversubscription: 2, latency: 5 us}",
             {"test.yaml:9", "links[1]", "no entry before this one leads there"}},
        Case{"NoLatency",
             8,
             std::string(kLink) + "bandwidth: 1 GB/s}",
             {"test.yaml:8", "links[0]", "no latency"}},
        Case{"NoFrom",
             8,
             "  - {to: switch, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:8", "links[0]", "no from"}},
        Case{"DanglingEnd",
             8,
             "  - {from: node, to: swich, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:8", "links[0].to", "'swich'", "Did you mean 'switch'?",
              "node (node-0 .. node-1), switch, rack (rack-0 .. rack-1)"}},
        Case{"DanglingMember",
             9,
             "  - {from: node-2, to: rack-0, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:9", "links[1].from", "'node-2'", "on 2 nodes"}},
        Case{"SelfLink",
             9,
             "  - {from: switch, to: switch, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:9", "'switch' to itself"}},
        Case{"LinkedTwice",
             9,
             "  - {from: switch, to: node-1, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:9", "'switch' and 'node-1' are linked already", "test.yaml:8"}},
        Case{"UnknownSpread",
             8,
             std::string(kLink) + "spread: block, bandwidth: 1 GB/s, latency: 5 us}",
             {"test.yaml:8", "links[0].spread", "blocks"}},
        Case{"NameTwice", 5, "  - {name: node}", {"test.yaml:5", "'node'", "test.yaml:3"}},
        Case{"NameOfMember", 5, "  - {name: node-1}", {"test.yaml:5", "'node-1'", "test.yaml:3"}},
        Case{"NoName", 5, "  - {count: 2}", {"test.yaml:5", "switches[0]", "no name"}},
        Case{"BadName", 5, "  - {name: my switch}", {"test.yaml:5", "my switch", "letters"}},
        Case{"SpeedZero",
             3,
             "  - {name: node, speed: 0}",
             {"test.yaml:3", "hosts[0].speed", "0.001"}},
        Case{"CountZero",
             3,
             "  - {name: node, count: 0}",
             {"test.yaml:3", "hosts[0].count", "rest"}},
        Case{"CountWord", 3, "  - {name: node, count: all}", {"test.yaml:3", "'all'", "'rest'"}},
        Case{"SwitchCountZero",
             6,
             "  - {name: rack, count: 0}",
             {"test.yaml:6", "switches[1].count"}},
        Case{"TwoSwitchCounts",
             6,
             "  - {name: rack, count: 2, nodes_per_switch: 2}",
             {"test.yaml:6", "nodes_per_switch", "not both"}},
        Case{"NegativeCost",
             11,
             "costs: {flop: -1 ns}",
             {"test.yaml:11", "costs.flop", "0 s .. 1 s"}},
        Case{"CostWithoutUnit",
             11,
             "costs: {flop: 1e-9}",
             {"test.yaml:11", "costs.flop", "a unit after the number"}},
        Case{"CostOfBytes",
             11,
             "costs: {flop: 1 GB/s}",
             {"test.yaml:11", "'GB/s'", "ns, us, ms, s"}},
        Case{"ZeroLoopback",
             10,
             "loopback: {bandwidth: 0 B/s}",
             {"test.yaml:10", "loopback.bandwidth", "1 B/s .. "}},
        Case{"LinksNoList", 7, "links: 3\nextra:", {"test.yaml:7", "links"}},
        Case{"NoDescription", 1, "# nothing", {"test.yaml", "description"}}),
    [](const testing::TestParamInfo<Case>& tested) { return tested.param.name; });

TEST(PlatformErrorsWhole, TheFileThatTheCasesChangeIsRight) {
  EXPECT_EQ(error_of(with_line(1, "description: a test")), "");
}

TEST(PlatformErrorsWhole, AFileWithoutDescriptionOrHostsIsRefused) {
  expect_all(error_of(""), {"test.yaml", "description"});
  expect_all(error_of("[1, 2]"), {"test.yaml", "list"});
  expect_all(error_of("description: no hosts"), {"test.yaml", "has no hosts"});
}

TEST(PlatformErrorsWhole, AGraphInPiecesIsRefusedWithTheHostsThatCannotBeReached) {
  const std::string text = R"(description: two islands
hosts: [{name: a}, {name: b}, {name: c}, {name: d}]
links:
  - {from: a, to: c, bandwidth: 1 GB/s, latency: 1 us}
  - {from: b, to: d, bandwidth: 1 GB/s, latency: 1 us}
)";
  expect_all(error_of(text, 4), {"test.yaml", "from host 'a' to 'b', 'd'."});
  expect_all(error_of("description: alone\nhosts: [{name: node, count: rest}]\n", 8),
             {"'node-1', 'node-2', 'node-3', 'node-4' and 3 more"});
}

TEST(PlatformErrorsWhole, MoreNodesThanHostsAreRefusedAndFewerAreServed) {
  const std::string text = R"(description: a pair
hosts: [{name: a}, {name: b}]
links: [{from: a, to: b, bandwidth: 1 GB/s, latency: 1 us}]
)";
  expect_all(error_of(text, 3), {"test.yaml", "has 2 hosts", "needs 3 nodes", "count: rest"});
  EXPECT_EQ(error_of(text, 2), "");
  EXPECT_EQ(error_of(text, 1), "");
  expect_all(error_of(text, 0), {"at least 1 node"});
}

TEST(PlatformErrorsWhole, OnlyOneGroupCanTakeTheRest) {
  expect_all(error_of("description: x\nhosts:\n  - {name: a, count: rest}\n"
                      "  - {name: b, count: rest}\n"),
             {"test.yaml:4", "hosts[1]", "'a' has it already"});
}

TEST(PlatformErrorsWhole, EveryUnknownKeyOfALinkIsNamedBeforeItsMissingOnes) {
  expect_all(error_of(with_line(8, "  - {frm: node, too: switch, bandwidth: 1 GB/s}")),
             {"frm", "too"});
}

}  // namespace
}  // namespace pslab::graph
