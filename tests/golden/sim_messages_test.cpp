// What the simulated backend promises about messages and servers, without any of the mechanisms.
// Costs are those of ethernet-10g: 10 us from node to node, 1.17 GB/s, 500 ns to send or to receive
// a message, 0.1 ns for each of its bytes, 50 ns for each of its keys.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "tests/golden/scripted_program.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

constexpr double kLatency = 10e-6;
constexpr double kBandwidth = 1.17e9;

double handling(double bytes, double keys = 0.0) {
  return 500e-9 + 0.1e-9 * bytes + 50e-9 * keys;
}

std::vector<double> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> all;
  for (double number = 0.0; in >> number;) all.push_back(number);
  EXPECT_TRUE(in.eof()) << text;
  return all;
}

std::string text_of(const std::vector<double>& all) {
  std::string text;
  for (const double number : all) text += fmt::format("{} ", number);
  return text;
}

/// Runs `program` in a child; afterwards `seen` holds what its functions put into it.
std::vector<double> simulated(const ClusterSpec& cluster, const std::string& network,
                              ScriptedProgram& program, const std::vector<double>& seen) {
  const ChildResult result = run_in_child([&] {
    const std::string error = simulate(cluster, "network: " + network, program);
    return error.empty() ? text_of(seen) : error;
  });
  return numbers(result.text);
}

class InNetwork : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, InNetwork, testing::Values("flow", "alpha_beta"),
                         [](const auto& model) { return model.param; });

/// Every node sends 200 messages of all sizes to every other; returns what was out of order.
std::vector<double> out_of_order(const ClusterSpec& cluster, const std::string& network) {
  constexpr std::uint32_t kMessages = 200;
  const NodeId nodes = cluster.nodes;
  std::vector<double> seen = {0.0, 0.0};  // received, of these out of order
  std::vector<std::vector<std::uint32_t>> last(nodes, std::vector<std::uint32_t>(nodes, 0));
  std::vector<std::uint32_t> received(nodes, 0);
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    Random random(1, "message sizes", node.node());
    for (std::uint32_t i = 1; i <= kMessages; ++i) {
      for (NodeId to = 0; to < nodes; ++to) {
        // A large one, then some small ones that would overtake it.
        const auto floats = static_cast<std::uint32_t>(i % 5 == 0 ? random.below(50'000) : 0);
        Message next = message(i, floats);
        next.header().sender = node.node();
        if (to != node.node()) node.send(to, std::move(next), 0.0);
      }
      if (random.below(3) == 0) worker.spend(1e-6 * static_cast<double>(random.below(100)));
    }
    while (received[node.node()] < kMessages * (nodes - 1)) worker.wait(false);
  };
  program.on_message = [&](NodeRuntime& node, const Message& message) {
    std::uint32_t& before = last[message.header().sender][node.node()];
    seen[0] += 1.0;
    if (message.header().op != before + 1) seen[1] += 1.0;
    before = message.header().op;
    if (++received[node.node()] == kMessages * (nodes - 1)) node.worker(0).notify();
  };
  return simulated(cluster, network, program, seen);
}

TEST_P(InNetwork, MessagesBetweenTwoNodesArriveInTheOrderSent) {
  EXPECT_EQ(out_of_order(cluster_of(2), GetParam()), (std::vector<double>{400, 0}));
  EXPECT_EQ(out_of_order(cluster_of(4), GetParam()), (std::vector<double>{2400, 0}));
}

TEST_P(InNetwork, RandomDelaysDoNotChangeTheOrder) {
  ClusterSpec cluster = cluster_of(3);
  cluster.faults.delay_probability = 0.5;
  cluster.faults.delay_max = 1e-3;
  EXPECT_EQ(out_of_order(cluster, GetParam()), (std::vector<double>{1200, 0}));
}

TEST_P(InNetwork, ASmallMessageWaitsForALargeOneBeforeIt) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) {
      node.send(1, message(0, 250'000), 0.0);
      node.send(1, message(1), 0.0);
    } else {
      worker.wait(false);
    }
  };
  program.on_message = [&](NodeRuntime& node, const Message& message) {
    seen.push_back(node.now());
    if (message.header().op == 1) node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(2), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], kLatency + 1'000'028 / kBandwidth, 1e-7);
  EXPECT_NEAR(times[1], times[0] + handling(1'000'028), 1e-7) << "it arrived, and was handled next";
}

TEST_P(InNetwork, APingPongCostsTwoTripsTwoReceiptsAndAnAnswer) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() != 0) return;
    node.send(1, message(0), 0.0);
    const double late = worker.wait(false);
    seen.push_back(node.now() + late);
  };
  program.on_message = [&](NodeRuntime& node, const Message&) {
    if (node.node() == 1) node.send(0, message(1), 0.0);
    if (node.node() == 0) node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(2), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 2 * (kLatency + 28 / kBandwidth) + 3 * handling(28), 2e-9);
}

TEST_P(InNetwork, AServerHandlesOneMessageAfterTheOther) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() != 0) {
      node.send(0, message(0, 0, 4), 0.0);
    } else {
      worker.wait(false);
    }
  };
  program.on_message = [&](NodeRuntime& node, const Message&) {
    seen.push_back(node.now());
    if (seen.size() == 8) node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(9), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 8U);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_NEAR(times[i] - times[i - 1], handling(28 + 4 * 8, 4), 1e-13);
  }
}

TEST_P(InNetwork, AnswersLeaveWhenTheServerHasMadeThem) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) node.send(1, message(0), 0.0);
    if (node.node() == 2) worker.wait(false);
  };
  program.on_message = [&](NodeRuntime& node, const Message&) {
    if (node.node() == 1) {
      for (std::uint32_t i = 0; i < 5; ++i) node.send(2, message(i), 0.0);
      return;
    }
    seen.push_back(node.now());
    if (seen.size() == 5) node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(3), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 5U);
  for (std::size_t i = 1; i < times.size(); ++i) {
    // The sender's card may take the answers for sent at the same time: a wire time more.
    EXPECT_GE(times[i] - times[i - 1], handling(28) - 1e-13);
    EXPECT_LE(times[i] - times[i - 1], handling(28) + 28 / kBandwidth + 1e-13);
  }
}

TEST_P(InNetwork, MessagesOfAWorkerLeaveWhenItHasMadeThem) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) {
      // The second leaves when the first is through: they do not share the link.
      node.send(1, message(0, 250'000), 0.0);
      node.send(2, message(0, 250'000), 1e-3);
    } else {
      worker.wait(false);
    }
  };
  program.on_message = [&](NodeRuntime& node, const Message&) {
    seen.push_back(node.now());
    node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(3), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], kLatency + 1'000'028 / kBandwidth, 1e-7);
  EXPECT_NEAR(times[1], 1e-3 + times[0], 1e-7);
}

TEST_P(InNetwork, AServerDoesNotSlowTheWorkersOfItsNode) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) {
      worker.spend(1e-3);
      seen.push_back(node.now());
    } else {
      for (std::uint32_t i = 0; i < 500; ++i) node.send(0, message(i), 0.0);
    }
  };
  const auto times = simulated(cluster_of(4), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 1e-3, 1e-12);
}

TEST_P(InNetwork, AMessageOfANodeToItselfTakesTheLoopback) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    node.send(0, message(0, 1000), 0.0);
    worker.wait(false);
  };
  program.on_message = [&](NodeRuntime& node, const Message&) {
    seen.push_back(node.now());
    node.worker(0).notify();
  };
  const auto times = simulated(cluster_of(1), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 0.25e-6 + 4028 / 9.5e9, 2e-9);
}

TEST_P(InNetwork, TimersRunWhenTheyAreDue) {
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    for (const double after : {0.3, 0.1, 0.2}) {
      node.after(after, [&, after] {
        seen.push_back(node.now());
        if (after == 0.3) node.worker(0).notify();
      });
    }
    worker.wait(false);
  };
  const auto times = simulated(cluster_of(1), GetParam(), program, seen);
  ASSERT_EQ(times.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(times[i], 0.1 * static_cast<double>(i + 1), 1e-12);
}

}  // namespace
}  // namespace pslab::test
