// Placement by locality in matrix factorization: what it expects to become local does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <vector>

#include "run/training.hpp"
#include "strategies/locality/partitioner.hpp"
#include "tests/golden/small_run.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

TEST(MatrixFactorization, KnowsHowOftenEachNodeAccessesEachKey) {
  const auto experiment = small_experiment("workload.localize_rows=false");
  const std::vector<float> expected = experiment->workload->direct_accesses();
  std::vector<float> sums(expected.size(), 0.0F);
  std::vector<int> nodes(expected.size(), 0);
  for (NodeId node = 0; node < experiment->cluster.nodes; ++node) {
    for (const KeyCount& count : experiment->workload->node_accesses(node)) {
      sums[count.key] += count.accesses;
      ++nodes[count.key];
    }
  }
  EXPECT_EQ(sums, expected);
  const Key rows = experiment->workload->keys().groups()[0].count;
  for (Key row = 0; row < rows; ++row) EXPECT_LE(nodes[row], 1) << "row " << row;
}

std::string share(double local, double all) {
  return fmt::format("): {:.1f} % of the expected accesses are local", 100.0 * local / all);
}

TEST(PlacementByLocality, MakesTheAccessesLocalThatItExpects) {
  for (const std::string partitioner : {"greedy", "metis"}) {
    if (partitioner == "metis" && locality::make_metis() == nullptr) continue;
    const ChildResult result = run_in_child([&] {
      const auto experiment = small_experiment(
          "strategy={name: static, placement: locality, partitioner: " + partitioner + "}");
      std::string log;
      std::vector<run::EpochRecord> epochs;
      run::Training training(
          *experiment, [&](const run::EpochRecord& epoch) { epochs.push_back(epoch); },
          [&](const std::string& text) { log += text; });
      const std::atomic<bool> stop{false};
      experiment->backend->execute(experiment->cluster, training, stop);
      return totals(epochs) + " " + log;
    });
    const double local = number(result.text, "local");
    const double all = number(result.text, "accesses");
    EXPECT_GT(local / all, 0.5) << "by hash: a quarter";
    EXPECT_THAT(result.text, testing::HasSubstr(share(local, all))) << partitioner;
  }
}

}  // namespace
}  // namespace pslab::test
