// Slow nodes and slow links: how much, from when, until when.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/golden/scripted_program.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

class AFault : public testing::TestWithParam<std::string> {
 protected:
  /// What `program` puts into `seen` when it runs on `cluster`.
  std::vector<double> simulated(const ClusterSpec& cluster, ScriptedProgram& program,
                                const std::vector<double>& seen) const {
    const ChildResult result = run_in_child([&] {
      std::string text = simulate(cluster, "network: " + GetParam(), program);
      for (const double number : seen) text += fmt::format("{} ", number);
      return text;
    });
    std::istringstream in(result.text);
    std::vector<double> all;
    for (double number = 0.0; in >> number;) all.push_back(number);
    EXPECT_TRUE(in.eof()) << result.text;
    return all;
  }

  double time_with(const std::string& fault) const {
    return time_of("strategy.name=static;sim.network=" + GetParam() + fault);
  }
};
INSTANTIATE_TEST_SUITE_P(In, AFault, testing::Values("flow", "alpha_beta"),
                         [](const auto& model) { return model.param; });

TEST_P(AFault, SlowsANodeFromItsBeginningToItsEnd) {
  ClusterSpec cluster = cluster_of(2);
  cluster.faults.slow_nodes.push_back({1, 3.0, 1.0, 2.0});
  for (const NodeId slow : {0U, 1U}) {
    std::vector<double> seen;
    ScriptedProgram program;
    program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
      worker.spend(0.5);
      for (int i = 0; i < 3; ++i) {
        if (node.node() == slow) seen.push_back(node.costs().local_access * 1e9);
        worker.spend(1.0);
      }
    };
    const double factor = slow == 1 ? 3.0 : 1.0;
    EXPECT_THAT(simulated(cluster, program, seen),
                Pointwise(DoubleNear(1e-9), {20.0, factor * 20.0, 20.0}));
  }
}

TEST_P(AFault, SlowsANodeByAllThatHoldAtATime) {
  ClusterSpec cluster = cluster_of(1);
  const auto slow = [&](double factor, double from, double until) {
    cluster.faults.slow_nodes.push_back({0, factor, from, until});
  };
  slow(2.0, 0.0, 4.0);
  slow(3.0, 1.0, 2.0);
  slow(5.0, 2.0, 3.0);
  slow(7.0, 2.0, 1e300);
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    seen.push_back(node.costs().local_access * 1e9);
    worker.spend(0.5);
    for (int i = 0; i < 4; ++i) {
      worker.spend(1.0);
      seen.push_back(node.costs().local_access * 1e9);
    }
  };
  EXPECT_THAT(simulated(cluster, program, seen),
              Pointwise(DoubleNear(1e-6), {2 * 20.0, 6 * 20.0, 70 * 20.0, 14 * 20.0, 7 * 20.0}));
}

TEST_P(AFault, SlowsAllThatANodesProcessorsDo) {
  ClusterSpec cluster = cluster_of(1);
  cluster.faults.slow_nodes.push_back({0, 10.0, 1.0, 1e300});
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    const CostTable before = node.costs();
    worker.spend(1.5);
    const CostTable& now = node.costs();
    seen = {now.step / before.step,
            now.flop / before.flop,
            now.local_access / before.local_access,
            now.local_byte / before.local_byte,
            now.send_message / before.send_message,
            now.receive_message / before.receive_message,
            now.message_byte / before.message_byte,
            now.message_key / before.message_key};
  };
  EXPECT_THAT(simulated(cluster, program, seen),
              Pointwise(DoubleNear(1e-9), std::vector<double>(8, 10.0)));
}

TEST_P(AFault, SlowsALinkInOneDirectionFromItsBeginningToItsEnd) {
  ClusterSpec cluster = cluster_of(2);
  cluster.faults.slow_links.push_back({0, 1, 0.125, 1.0, 2.0});
  for (const NodeId sender : {0U, 1U}) {
    std::vector<double> seen;
    ScriptedProgram program;
    program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
      worker.spend(0.5);
      for (int i = 0; i < 3; ++i) {
        if (node.node() == sender) {
          seen.push_back(-node.now());
          node.send(1 - sender, message(0), 0.0);
        }
        worker.spend(1.0);
      }
    };
    program.on_message = [&](NodeRuntime& node, const Message&) { seen.back() += node.now(); };
    const double trip = 10e-6 + 28 / 1.17e9;
    EXPECT_THAT(simulated(cluster, program, seen),
                Pointwise(DoubleNear(2e-9), {trip, trip + (sender == 0 ? 0.125 : 0.0), trip}));
  }
}

TEST_P(AFault, DelaysTheGivenShareOfMessagesByUpToTheMost) {
  ClusterSpec cluster = cluster_of(2);
  cluster.faults.delay_probability = 0.25;
  cluster.faults.delay_max = 1e-3;
  std::vector<double> seen;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    for (int i = 0; i < 2000; ++i) {
      if (node.node() == 0) {
        seen.push_back(-node.now());
        node.send(1, message(0), 0.0);
      }
      worker.spend(2e-3);
    }
  };
  program.on_message = [&](NodeRuntime& node, const Message&) { seen.back() += node.now(); };
  double delayed = 0.0;
  double sum = 0.0;
  for (const double trip : simulated(cluster, program, seen)) {
    const double delay = trip - 10e-6 - 28 / 1.17e9;
    EXPECT_LE(delay, 1e-3 + 2e-9);
    if (delay < 2e-9) continue;
    delayed += 1.0;
    sum += delay;
  }
  EXPECT_NEAR(delayed / 2000, 0.25, 0.03);
  EXPECT_NEAR(sum / delayed, 0.5e-3, 0.05e-3);
}

TEST_P(AFault, LengthensTraining) {
  const double healthy = time_with("");
  EXPECT_GT(time_with(";faults.slow_nodes=[{node: 1, slowdown: 20}]"), 1.2 * healthy);
  EXPECT_GT(time_with(";faults.slow_links=[{from_node: 0, to_node: 1, extra_latency: 0.0005}]"),
            1.2 * healthy);
  EXPECT_GT(time_with(";faults.message_delay={probability: 0.1, max: 0.001}"), 1.2 * healthy);
}

TEST_P(AFault, LengthensTrainingOnlyWhileItLasts) {
  const double healthy = time_with("");
  const double slowed = time_with(";faults.slow_nodes=[{node: 1, slowdown: 20}]");
  const double for_a_while =
      time_with(";faults.slow_nodes=[{node: 1, slowdown: 20, from: 0.002, until: 0.004}]");
  EXPECT_GT(for_a_while, 1.02 * healthy);
  EXPECT_LT(for_a_while, 0.9 * slowed);
  EXPECT_EQ(time_with(";faults.slow_nodes=[{node: 1, slowdown: 20, from: 1000}]"), healthy);
}

}  // namespace
}  // namespace pslab::test
