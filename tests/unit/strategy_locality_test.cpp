#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "config/yaml.hpp"
#include "strategies/locality/access_graph.hpp"
#include "strategies/locality/partitioner.hpp"
#include "strategies/locality/placement.hpp"

namespace pslab::locality {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Accesses = std::vector<std::vector<KeyCount>>;  // by node
const std::vector<float> kUnknown;

Task task_of(const KeySpace& keys, const Accesses& accesses) {
  Task task{keys, static_cast<NodeId>(accesses.size()), 1,
            []() -> const std::vector<float>& { return kUnknown; },
            []() -> const std::vector<float>& { return kUnknown; }};
  task.node_accesses = [&](NodeId node) { return accesses[node]; };
  return task;
}

KeySpace keys_of(Key count) {
  return KeySpace({{"keys", count, 1}});
}

AccessGraph graph_of(Key keys, const Accesses& accesses) {
  const KeySpace space = keys_of(keys);
  return AccessGraph(task_of(space, accesses));
}

std::vector<Key> keys_per_node(const Owners& owners, NodeId nodes) {
  std::vector<Key> held(nodes, 0);
  for (const std::uint16_t owner : owners) ++held.at(owner);
  return held;
}

TEST(AnAccessGraph, AddsUpTheAccessesThatAPlacementMakesLocal) {
  const AccessGraph graph = graph_of(4, {{{0, 5.0F}, {2, 1.0F}}, {{0, 3.0F}, {3, 2.0F}}});
  EXPECT_EQ(graph.accesses(), 11.0);
  EXPECT_EQ(graph.local_accesses({0, 0, 0, 0}), 6.0);
  EXPECT_EQ(graph.local_accesses({1, 0, 0, 1}), 6.0);
  EXPECT_EQ(graph.local_accesses({0, 1, 0, 1}), 8.0);
}

TEST(Greedy, PutsEachKeyWhereItIsAccessedMost) {
  const AccessGraph graph =
      graph_of(4, {{{0, 5.0F}, {1, 1.0F}, {2, 9.0F}}, {{0, 4.0F}, {1, 2.0F}, {3, 1.0F}}});
  EXPECT_THAT(make_greedy()->partition(graph, 4), ElementsAre(0, 1, 0, 1));
}

TEST(Greedy, LetsKeysThatLoseMostChooseFirstWhenThereIsLittleRoom) {
  // All want node 0, which has room for two.
  const AccessGraph graph =
      graph_of(4, {{{0, 9.0F}, {1, 9.0F}, {2, 9.0F}, {3, 9.0F}}, {{0, 8.0F}, {2, 8.0F}}});
  EXPECT_THAT(make_greedy()->partition(graph, 2), ElementsAre(1, 0, 1, 0));
}

TEST(Greedy, SpreadsKeysThatNobodyAccesses) {
  const Owners owners = make_greedy()->partition(graph_of(9, {{{0, 1.0F}}, {}, {}}), 9);
  EXPECT_EQ(owners[0], 0);
  EXPECT_THAT(keys_per_node(owners, 3), ElementsAre(3, 3, 3));
}

struct Named {
  std::string name;
  std::unique_ptr<Partitioner> (*make)();
};

class EveryPartitioner : public testing::TestWithParam<Named> {
 protected:
  void SetUp() override {
    if (partitioner_ == nullptr) GTEST_SKIP() << "this build is without METIS";
  }
  std::unique_ptr<Partitioner> partitioner_ = GetParam().make();
};
INSTANTIATE_TEST_SUITE_P(All, EveryPartitioner,
                         testing::Values(Named{"Greedy", make_greedy}, Named{"Metis", make_metis}),
                         [](const auto& partitioner) { return partitioner.param.name; });

/// Each key is accessed often by one node, drawn at random, and a little by all.
Accesses planted(Key keys, NodeId nodes, Owners& truth) {
  Random random(1, "planted placement");
  Accesses accesses(nodes);
  truth.resize(keys);
  for (std::uint32_t key = 0; key < keys; ++key) {
    truth[key] = static_cast<std::uint16_t>(random.below(nodes));
    for (NodeId node = 0; node < nodes; ++node) {
      const auto noise = static_cast<float>(1 + random.below(3));
      accesses[node].push_back({key, node == truth[key] ? 50.0F : noise});
    }
  }
  return accesses;
}

TEST_P(EveryPartitioner, FindsAPlacementThatWasPlanted) {
  for (const NodeId nodes : {1U, 2U, 3U, 8U}) {
    Owners truth;
    const AccessGraph graph = graph_of(2000, planted(2000, nodes, truth));
    const Owners owners = partitioner_->partition(graph, 2400 / nodes);
    EXPECT_GE(graph.local_accesses(owners), 0.98 * graph.local_accesses(truth)) << nodes;
    EXPECT_LE(std::ranges::max(keys_per_node(owners, nodes)), 2450 / nodes) << nodes;
    EXPECT_EQ(owners, partitioner_->partition(graph, 2400 / nodes)) << "the same answer again";
  }
}

TEST_P(EveryPartitioner, KeepsTheBalanceWhenOneNodeAccessesEverything) {
  Accesses accesses(4);
  for (std::uint32_t key = 0; key < 1000; ++key) accesses[2].push_back({key, 1.0F});
  const Owners owners = partitioner_->partition(graph_of(1000, accesses), 300);
  EXPECT_LE(std::ranges::max(keys_per_node(owners, 4)), 330) << "for METIS 300 is a target";
  EXPECT_GE(keys_per_node(owners, 4)[2], 250);
}

LocalityPlacement placement(const std::string& yaml, bool used = true) {
  const config::Value given = config::parse_yaml(yaml, "test");
  config::Options options(&given, "strategy");
  return LocalityPlacement(options, used);
}

TEST(PlacementByLocality, IsAnExplicitOneAndTellsWhatItGains) {
  const KeySpace keys = keys_of(4);
  const Accesses accesses = {{{0, 30.0F}, {1, 20.0F}, {2, 5.0F}}, {{2, 25.0F}, {3, 20.0F}}};
  Task task = task_of(keys, accesses);
  std::string said;
  task.log = [&](const std::string& line) { said += line; };
  Plan plan;
  placement("{}").place(task, plan);
  EXPECT_EQ(plan.placement, Placement::kExplicit);
  EXPECT_THAT(plan.owners, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(said,
            "placement by locality (greedy): 95.0 % of the expected accesses are local (by hash: "
            "55.0 %); 2 to 2 keys on a node");
}

TEST(PlacementByLocality, LetsANodeHoldMoreKeysByItsImbalance) {
  const KeySpace keys = keys_of(4);
  const Accesses accesses = {{{0, 1.0F}, {1, 1.0F}, {2, 1.0F}}, {{3, 1.0F}}};
  const Task task = task_of(keys, accesses);
  Plan plan;
  placement("imbalance: 0").place(task, plan);
  EXPECT_THAT(keys_per_node(plan.owners, 2), ElementsAre(2, 2));
  placement("imbalance: 0.5").place(task, plan);
  EXPECT_THAT(keys_per_node(plan.owners, 2), ElementsAre(3, 1));
}

TEST(PlacementByLocality, NeedsAWorkloadThatKnowsItsAccesses) {
  const KeySpace keys = keys_of(4);
  const Accesses none(2);
  Plan plan;
  try {
    placement("{}").place(task_of(keys, none), plan);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Use hash or range"));
  }
}

std::string refusal(const std::string& yaml, bool used) {
  try {
    placement(yaml, used);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlacementByLocality, RefusesItsOptionsWhereTheyHaveNoEffect) {
  EXPECT_THAT(refusal("partitioner: metis", false), HasSubstr("with placement: locality only"));
  EXPECT_THAT(refusal("imbalance: 0.5", false), HasSubstr("with placement: locality only"));
  EXPECT_EQ(refusal("{partitioner: greedy, imbalance: 0.05}", false), "no error");
}

TEST(PlacementByLocality, RefusesMetisInABuildWithoutIt) {
  if (make_metis() != nullptr) GTEST_SKIP() << "this build has METIS";
  EXPECT_THAT(refusal("partitioner: metis", true), HasSubstr("this build of pslab is without"));
}

}  // namespace
}  // namespace pslab::locality
