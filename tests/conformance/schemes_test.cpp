// Every registered sampling scheme in whole runs, and what the mechanisms tell a scheme.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "api/registry.hpp"
#include "api/worker.hpp"
#include "config/yaml.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "tests/conformance/history_run.hpp"
#include "tests/support/child.hpp"
#include "tests/support/seeds.hpp"

namespace pslab::test {
namespace {

using testing::StartsWith;

std::vector<std::string> schemes() {
  std::vector<std::string> all = Registry<SamplingScheme>::instance().names();
  all.insert(all.end(), {"reuse;sampling.postpone=true;sampling.group=3;sampling.uses=2",
                         "local;sampling.method=scan;sampling.correct_replicas=true",
                         "independent;sampling.replacement=false"});
  return all;
}

class Schemes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Schemes, testing::ValuesIn(schemes()),
                         [](const auto& scheme) { return fmt::format("_{}", scheme.index); });

TEST_P(Schemes, ServeRunsWhoseHistoryIsRight) {
  for (std::uint64_t seed = 1; seed <= seeds(20); ++seed) {
    const std::string config = random_history("hybrid", "{replicated_keys: 6, sync_rate: 20000}",
                                              seed, "sampling.scheme=" + GetParam());
    const auto once = [&] { return run_in_child([&] { return perform_history(config); }).text; };
    const std::string first = once();
    ASSERT_THAT(first, StartsWith("ok: ")) << config;
    EXPECT_EQ(once(), first);
  }
}

/// Wants four recent pulls; hands out key 7 and shows what it was told.
class Curious final : public SamplingScheme, public Sampler {
 public:
  explicit Curious(std::string& seen) : seen_(seen) {}
  Conformity conformity() const override { return Conformity::kNone; }
  std::size_t recent_pulls() const override { return 4; }
  std::unique_ptr<Sampler> make_sampler() const override {
    return std::make_unique<Curious>(seen_);
  }
  void prepare(SamplingContext& /*context*/, std::size_t /*n*/, Random& /*random*/) override {}
  void pull(SamplingContext& context, std::span<Key> keys, Random& /*random*/) override {
    std::ranges::fill(keys, Key{7});
    std::vector<Key> recent = context.recent;
    std::ranges::sort(recent);
    seen_ += fmt::format("{} nodes, {} keys, recent {};", context.nodes, context.keys->size(),
                         fmt::join(recent, " "));
    for (Key key = 0; key < context.keys->size(); ++key) {
      seen_ += fmt::format(" {}{}", context.is_local(key) ? "local" : "remote",
                           context.is_replicated(key) ? " replica" : "");
    }
    seen_ += "\n";
  }

 private:
  std::string& seen_;
};

/// Eight keys of which the first is replicated; nodes run `work`.
class Telling final : public Program {
 public:
  std::string seen;

  explicit Telling(const Strategy& strategy) {
    plan_.replicated = {0};
    plan_.all_reduce.rounds_per_second = 0.0;
    setup_ = std::make_unique<manager::Setup>(
        manager::Setup{keys_, plan_, strategy, 1,
                       [](Key key, std::span<float> value) { value[0] = static_cast<float>(key); },
                       [](const std::vector<std::vector<double>>& all) { return all[0]; },
                       [](const std::vector<double>&) {}, 1, &scheme_, [](Random&) { return 7; }});
  }
  Receiver& start_node(NodeRuntime& runtime) override {
    nodes_.push_back(std::make_unique<manager::NodeCore>(*setup_, runtime));
    return *nodes_.back();
  }
  void run_worker(NodeId node, std::uint32_t /*local_index*/) override {
    Worker worker(nodes_[node]->worker(0));
    worker.barrier();
    if (node == 0) work(worker);
    worker.barrier();
  }
  std::string waiting_text() const override { return "nobody"; }

 private:
  static void pull(Worker& worker, std::vector<Key> keys) {
    std::vector<float> values(keys.size());
    worker.pull(keys, values);
    EXPECT_EQ(std::vector<Key>(values.begin(), values.end()), keys);
  }
  static void sample(Worker& worker) {
    std::vector<Key> keys(2);
    std::vector<float> values(2);
    worker.pull_sample(keys, values);
    EXPECT_EQ(values, (std::vector<float>{7.0F, 7.0F}));
  }
  static void work(Worker& worker) {
    sample(worker);
    pull(worker, {1});
    pull(worker, {2, 3});
    sample(worker);
    const std::vector<Key> keys = {4, 4};
    std::vector<float> values(2);
    worker.wait(worker.pull_async(keys, values));
    worker.push(keys, std::vector<float>{0.0F, 0.0F});
    sample(worker);
    pull(worker, {5});
    sample(worker);
  }

  KeySpace keys_{{{"keys", 8, 1}}};
  Plan plan_;
  Curious scheme_{seen};
  std::unique_ptr<manager::Setup> setup_;
  std::vector<std::unique_ptr<manager::NodeCore>> nodes_;
};

std::string told(const std::string& backend_name, NodeId nodes) {
  const ChildResult result = run_in_child([&]() -> std::string {
    const config::Value none = config::parse_yaml("{}", "test");
    config::Options options(&none, "test");
    const auto backend =
        Registry<Backend>::instance().find(backend_name, "backend", "test").make(options);
    const auto strategy =
        Registry<Strategy>::instance().find("static", "strategy", "test").make(options);
    ClusterSpec cluster;
    cluster.nodes = nodes;
    cluster.platform = "ethernet-10g";
    cluster.root = PSLAB_SOURCE_DIR;
    Telling program(*strategy);
    const std::atomic<bool> stop{false};
    backend->join(cluster);
    backend->execute(cluster, program, stop);
    return testing::Test::HasFailure() ? "wrong values" : program.seen;
  });
  return result.text;
}

TEST(SchemesAreTold, WhatIsLocalAndReplicatedAndWhichKeysWerePulledDirectly) {
  const std::string held = " local replica remote local remote local remote local remote\n";
  EXPECT_EQ(told("sim", 2), "2 nodes, 8 keys, recent ;" + held +           //
                                "2 nodes, 8 keys, recent 1 2 3;" + held +  //
                                "2 nodes, 8 keys, recent 2 3 4 4;" + held +
                                "2 nodes, 8 keys, recent 3 4 4 5;" + held);
}

TEST(SchemesAreTold, TheSameInEveryBackend) {
  const std::string in_sim = told("sim", 1);
  EXPECT_THAT(in_sim, StartsWith("1 nodes, 8 keys, recent ; local replica local local"));
  for (const std::string& backend : Registry<Backend>::instance().names()) {
    EXPECT_EQ(told(backend, 1), in_sim) << backend;
  }
}

}  // namespace
}  // namespace pslab::test
