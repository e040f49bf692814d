// What rounds of replica synchronisation make of the workers' pushes: averaged, clipped, or waiting
// until they are large enough; and that they send nothing where nothing has changed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/worker.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "tests/golden/scripted_program.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

using manager::Gather;

constexpr double kRate = 1000.0;
constexpr double kManyRounds = 1e9;  // floating-point operations

class Nothing final : public Strategy {
  void plan(const Task& /*task*/, Plan& /*plan*/) override {}
};

/// Keys of one float each, at first 0; all are replicated, or as a plan says. One worker on each of
/// three nodes.
class Replicated final : public Program {
 public:
  Replicated(Key keys, AllReduce options) : Replicated(keys, all_keys(keys, options)) {}
  Replicated(Key keys, Plan plan)
      : keys_({{"keys", keys, 1}}),
        plan_(std::move(plan)),
        nodes_(kNodes),
        setup_{keys_,
               plan_,
               strategy_,
               1,
               [](Key, std::span<float> value) { value[0] = 0.0F; },
               [](const std::vector<std::vector<double>>& all) { return all[0]; }} {}

  /// What each worker does before and after the updates are brought home.
  std::function<void(Worker&)> before = [](Worker&) {};
  std::function<void(Worker&)> after = [](Worker&) {};

  Receiver& start_node(NodeRuntime& runtime) override {
    auto& node = nodes_[runtime.node()];
    node = std::make_unique<manager::NodeCore>(setup_, runtime);
    return *node;
  }
  void run_worker(NodeId node, std::uint32_t local_index) override {
    manager::WorkerCore& core = nodes_[node]->worker(local_index);
    Worker worker(core);
    core.gather(Gather::kStart, {});
    before(worker);
    core.gather(Gather::kSettle, {});
    after(worker);
    core.gather(Gather::kBarrier, {});
  }
  std::string waiting_text() const override { return "nobody"; }

  /// That nodes have sent to each other so far.
  std::uint64_t messages() const {
    std::uint64_t count = 0;
    for (const auto& node : nodes_) {
      for (const std::uint64_t of_kind : node->counters().messages) count += of_kind;
    }
    return count;
  }

  static constexpr NodeId kNodes = 3;

 private:
  static Plan all_keys(Key keys, AllReduce options) {
    Plan plan;
    plan.replicated.resize(keys);
    std::iota(plan.replicated.begin(), plan.replicated.end(), Key{0});
    plan.all_reduce = options;
    return plan;
  }

  KeySpace keys_;
  Plan plan_;
  Nothing strategy_;
  std::vector<std::unique_ptr<manager::NodeCore>> nodes_;
  manager::Setup setup_;
};

float value(Worker& worker, Key key) {
  float read = -1.0F;
  worker.pull({&key, 1}, {&read, 1});
  return read;
}
void push(Worker& worker, Key key, float delta) {
  worker.push({&key, 1}, {&delta, 1});
}

/// The numbers that `run` puts into a text, by a simulation in a process of its own.
std::string simulated(const std::function<void(std::string&)>& run) {
  return run_in_child([&] {
           std::string seen;
           run(seen);
           return seen;
         })
      .text;
}

constexpr Key kLast = 1000;  // of the keys to clip

class ReplicaSync : public testing::TestWithParam<SyncMethod> {};
INSTANTIATE_TEST_SUITE_P(All, ReplicaSync,
                         testing::Values(SyncMethod::kButterfly, SyncMethod::kTree,
                                         SyncMethod::kOwnerHub));

TEST_P(ReplicaSync, AddsThePushesOfAllNodesOrAveragesThem) {
  for (const bool average : {false, true}) {
    const std::string seen = simulated([&](std::string& text) {
      Replicated program(2, {.rounds_per_second = 0.0, .method = GetParam(), .average = average});
      program.before = [](Worker& worker) {
        push(worker, 0, 3.0F * static_cast<float>(worker.node() + 1));
      };
      program.after = [&](Worker& worker) { text += fmt::format("{} ", value(worker, 0)); };
      text += simulate(cluster_of(Replicated::kNodes), "", program);
    });
    EXPECT_EQ(seen, average ? "6 6 6 " : "18 18 18 ");
  }
}

TEST_P(ReplicaSync, LeavesSmallChangesOutUntilTheyHaveGrownOrTheEpochEnds) {
  const std::string seen = simulated([&](std::string& text) {
    Replicated program(3, {.rounds_per_second = kRate, .method = GetParam(), .threshold = 2.0});
    program.before = [&](Worker& worker) {
      if (worker.node() == 1) {
        push(worker, 0, 1.5F);
        push(worker, 1, 2.0F);
        push(worker, 2, 1.5F);
      }
      worker.compute(kManyRounds);
      worker.barrier();
      if (worker.node() == 1) push(worker, 2, 1.5F);
      worker.compute(kManyRounds);
      worker.barrier();
      for (Key key = 0; worker.node() == 0 && key < 3; ++key) {
        text += fmt::format("{} ", value(worker, key));
      }
    };
    program.after = [&](Worker& worker) {
      if (worker.node() == 2) text += fmt::format("then {} ", value(worker, 0));
    };
    text += simulate(cluster_of(Replicated::kNodes), "", program);
  });
  EXPECT_EQ(seen, "0 2 3 then 1.5 ");
}

TEST_P(ReplicaSync, ScalesDownWhatIsFarLargerThanUsual) {
  const std::string seen = simulated([&](std::string& text) {
    Replicated program(kLast + 1, {.rounds_per_second = 0.0, .method = GetParam(), .clip = 2.0});
    program.before = [](Worker& worker) {
      for (Key key = 0; key < kLast; ++key) push(worker, key, 1.0F);
      push(worker, kLast, worker.node() == 1 ? 1001.0F : 1000.0F);
    };
    program.after = [&](Worker& worker) {
      text += fmt::format("{} {:.4f} ", value(worker, 0), value(worker, kLast));
    };
    text += simulate(cluster_of(Replicated::kNodes), "", program);
  });
  // The mean of a thousand times 3 and of 3001; twice of it.
  EXPECT_EQ(seen, "3 11.9900 3 11.9900 3 11.9900 ");
}

/// What node 0 reads of key 0 while nodes 1 and 2 add to it, and how many messages the three send
/// in three spells in which nothing is pushed.
std::string in_quiet_spells(Replicated& program) {
  return simulated([&](std::string& text) {
    program.before = [&](Worker& worker) {
      const Key key = 0;
      worker.intent({&key, 1}, 0, 1);
      worker.compute(kManyRounds);
      for (int spell = 0; spell < 3; ++spell) {
        worker.barrier();
        if (worker.node() != 0) push(worker, key, static_cast<float>(worker.node()));
        worker.compute(kManyRounds);
        worker.barrier();
        const std::uint64_t sent = program.messages();
        worker.compute(kManyRounds);
        if (worker.node() == 0) {
          text += fmt::format("{} after {} ", value(worker, key), program.messages() - sent);
        }
      }
    };
    program.after = [](Worker&) {};
    text += simulate(cluster_of(Replicated::kNodes), "", program);
  });
}

TEST_P(ReplicaSync, SendsNothingWhereNothingChanges) {
  Replicated program(100, AllReduce{.rounds_per_second = kRate, .method = GetParam()});
  EXPECT_EQ(in_quiet_spells(program), "3 after 0 6 after 0 9 after 0 ");
}

TEST(HubRounds, SendNothingWhereNothingChanges) {
  Plan plan;
  plan.intents = IntentRounds{.rounds_per_second = kRate};
  Replicated program(100, plan);
  EXPECT_EQ(in_quiet_spells(program), "3 after 0 6 after 0 9 after 0 ");
}

}  // namespace
}  // namespace pslab::test
