// Runs that cannot go on end, and say why and who waits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "run/training.hpp"
#include "tests/golden/scripted_program.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

const std::string kWaiting = "worker 1 on node 1 waits for a letter";

class ARun : public testing::TestWithParam<std::string> {
 protected:
  std::string options() const { return "stall_limit: 5, network: " + GetParam(); }

  /// Two nodes with a worker each that does `work`. The error that the run ended with.
  std::string run(const std::function<void(NodeRuntime&, WorkerRuntime&)>& work,
                  const ClusterSpec& cluster = cluster_of(2), bool stop = false) const {
    ScriptedProgram program;
    program.waiting = kWaiting;
    program.work = work;
    program.on_message = [](NodeRuntime& node, const Message& message) {
      throw std::runtime_error(
          fmt::format("node {} cannot read message {}", node.node(), message.header().op));
    };
    const ChildResult result =
        run_in_child([&] { return "ended: " + simulate(cluster, options(), program, stop); }, 20.0);
    EXPECT_TRUE(result.finished) << result.text;
    return result.text;
  }
};
INSTANTIATE_TEST_SUITE_P(With, ARun, testing::Values("flow", "alpha_beta"),
                         [](const auto& model) { return model.param; });

TEST_P(ARun, EndsWithoutErrorWhenItsWorkersDo) {
  EXPECT_EQ(run([](NodeRuntime&, WorkerRuntime& worker) { worker.spend(1.0); }), "ended: ");
}

TEST_P(ARun, InWhichAllWaitForEverSaysWhoWaits) {
  EXPECT_EQ(run([](NodeRuntime&, WorkerRuntime& worker) { worker.wait(false); }),
            "ended: no worker can go on: " + kWaiting);
}

TEST_P(ARun, InWhichOneWaitsForEverAfterTheOthersHaveEndedSaysSo) {
  const auto work = [](NodeRuntime& node, WorkerRuntime& worker) {
    worker.spend(1e-3);
    if (node.node() == 1) worker.wait(false);
  };
  EXPECT_EQ(run(work), "ended: no worker can go on: " + kWaiting);
}

TEST_P(ARun, InWhichOnlyTimersGoOnStallsAndSaysWhoWaits) {
  std::function<void(NodeRuntime&)> tick = [&](NodeRuntime& node) {
    node.after(0.5, [&] { tick(node); });
  };
  const auto work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) tick(node);
    worker.wait(false);
  };
  EXPECT_EQ(run(work), "ended: no worker went on for 5 simulated seconds: " + kWaiting);
}

TEST_P(ARun, InWhichAWorkerGoesOnNowAndThenIsNotStalled) {
  std::function<void(NodeRuntime&)> tick = [&](NodeRuntime& node) {
    if (node.now() < 20.0) node.after(0.5, [&] { tick(node); });
  };
  const auto work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    tick(node);
    for (int i = 0; i < 10; ++i) worker.spend(3.0);
  };
  EXPECT_EQ(run(work), "ended: ");
}

TEST_P(ARun, EndsWithTheNodeThatDied) {
  ClusterSpec cluster = cluster_of(2);
  cluster.faults.failures.push_back({1, 0.25});
  const auto busy = [](NodeRuntime&, WorkerRuntime& worker) { worker.spend(1.0); };
  EXPECT_EQ(run(busy, cluster),
            "ended: node 1 failed at 250 ms (injected by faults.failures). " + kWaiting);
  const auto waits = [](NodeRuntime&, WorkerRuntime& worker) {
    worker.spend(0.1);
    worker.wait(false);
  };
  EXPECT_THAT(run(waits, cluster), StartsWith("ended: node 1 failed at 250 ms"));
}

TEST_P(ARun, IgnoresTheDeathOfANodeAfterItsEnd) {
  ClusterSpec cluster = cluster_of(2);
  cluster.faults.failures.push_back({1, 2.0});
  EXPECT_EQ(run([](NodeRuntime&, WorkerRuntime& worker) { worker.spend(1.0); }, cluster),
            "ended: ");
}

TEST_P(ARun, EndsWithWhatAWorkerThrows) {
  const auto work = [](NodeRuntime& node, WorkerRuntime& worker) {
    worker.spend(1e-3);
    if (node.node() == 1) throw std::runtime_error("training diverged");
    worker.wait(false);
  };
  EXPECT_EQ(run(work), "ended: training diverged");
}

TEST_P(ARun, EndsWithWhatAHandlerThrows) {
  const auto work = [](NodeRuntime& node, WorkerRuntime& worker) {
    if (node.node() == 0) node.send(1, message(77), 0.0);
    worker.wait(false);
  };
  EXPECT_EQ(run(work), "ended: node 1 cannot read message 77");
}

TEST_P(ARun, LetsAllItsWorkersLeaveWhenItFails) {
  struct Leaving {
    explicit Leaving(int& of) : count(of) {}
    ~Leaving() { ++count; }
    int& count;
  };
  int left = 0;
  ScriptedProgram program;
  program.work = [&](NodeRuntime& node, WorkerRuntime& worker) {
    const Leaving leaving(left);
    worker.spend(1e-3);
    if (node.node() == 3) throw std::runtime_error("training diverged");
    if (node.node() > 0) worker.spend(1.0);
    worker.wait(false);
  };
  const ChildResult result = run_in_child([&] {
    const std::string error = simulate(cluster_of(4), options(), program);
    return fmt::format("{}: {} have left", error, left);
  });
  EXPECT_EQ(result.text, "training diverged: 4 have left");
}

TEST_P(ARun, EndsSoonWhenItIsToldToStop) {
  const auto work = [](NodeRuntime&, WorkerRuntime& worker) {
    for (int i = 0; i < 1'000'000'000; ++i) worker.spend(1e-3);
  };
  EXPECT_EQ(run(work, cluster_of(2), true), "ended: interrupted");
}

/// A training in which node 1 loses the first pull that it gets.
class LosingProgram final : public Program {
 public:
  explicit LosingProgram(Program& training) : training_(training) {}
  Receiver& start_node(NodeRuntime& runtime) override {
    Receiver& original = training_.start_node(runtime);
    if (runtime.node() != 1) return original;
    losing_ = std::make_unique<Losing>(original);
    return *losing_;
  }
  void run_worker(NodeId node, std::uint32_t local) override { training_.run_worker(node, local); }
  std::string waiting_text() const override { return training_.waiting_text(); }

 private:
  class Losing final : public Receiver {
   public:
    explicit Losing(Receiver& original) : original_(original) {}
    void receive(Message message) override {
      const bool lose = !lost_ && message.header().kind == MessageKind::kPull;
      lost_ = lost_ || lose;
      if (!lose) original_.receive(std::move(message));
    }

   private:
    Receiver& original_;
    bool lost_ = false;
  };
  Program& training_;
  std::unique_ptr<Receiver> losing_;
};

TEST_P(ARun, OfATrainingThatHangsNamesTheWorkerThatWaits) {
  const ChildResult result = run_in_child([&] {
    const auto experiment = small_experiment(
        "strategy.name=static;cluster={nodes: 2, workers_per_node: 1};sim.network=" + GetParam());
    run::Training training(*experiment, [](const run::EpochRecord&) {});
    LosingProgram program(training);
    return simulate(experiment->cluster, options(), program);
  });
  EXPECT_THAT(
      result.text,
      MatchesRegex("no worker can go on: worker 0 on node 0 waits for [12] key.s. of a pull, "
                   "the last asked for being key [0-9]+, of node 1; the barrier still waits for "
                   "node 0; 1 of 1 worker on node 1 waits at a barrier"));
}

TEST_P(ARun, OfATrainingEndsWithTheNodeThatDied) {
  const std::string text = run_small(
      "strategy.name=static;faults.failures=[{node: 2, at: 0.001}];sim.network=" + GetParam());
  EXPECT_THAT(text, HasSubstr("node 2 failed at 1 ms (injected by faults.failures)"));
  EXPECT_THAT(text, HasSubstr("on node 3 waits for 1 key(s)"));
}

}  // namespace
}  // namespace pslab::test
