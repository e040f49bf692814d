// Runs that check their own history in the simulator: every strategy passes, whatever happens to
// the cluster.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tests/conformance/history_run.hpp"
#include "tests/conformance/variants.hpp"
#include "tests/support/child.hpp"
#include "tests/support/seeds.hpp"

namespace pslab::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string result_of(const std::string& config) {
  return run_in_child([&] { return perform_history(config); }).text;
}

class CheckedStrategies : public testing::TestWithParam<Variant> {};

TEST_P(CheckedStrategies, KeepTheirPromisesUnderRandomAccesses) {
  const Variant& variant = GetParam();
  for (std::uint64_t seed = 1; seed <= seeds(40); ++seed) {
    const std::string config = random_history(variant.strategy, variant.options, seed);
    ASSERT_THAT(result_of(config), StartsWith("ok: ")) << config;
  }
}

TEST_P(CheckedStrategies, KeepThemInMatrixFactorization) {
  const Variant& variant = GetParam();
  for (const std::string network : {"flow", "alpha_beta"}) {
    for (const std::string schedule : {"column_wise", "plain", "dsgd"}) {
      const std::string options = variant.options.substr(1, variant.options.size() - 2);
      const std::string config = fmt::format(
          "cluster: {{nodes: 3, workers_per_node: 2}}\n"
          "workload: {{rank: 3, schedule: {}, dataset: {{rows: 60, cols: 20, cells: 600, "
          "test_share: 0.1}}}}\n"
          "train: {{epochs: 2}}\n"
          "strategy: {{name: {}{}{}}}\n"
          "sim: {{network: {}}}\n"
          "checks: {{history: true}}\n"
          "faults: {{message_delay: {{probability: 0.3, max: 0.0002}}}}\n",
          schedule, variant.strategy, options.empty() ? "" : ", ", options, network);
      ASSERT_THAT(result_of(config), StartsWith("ok: ")) << config;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CheckedStrategies, testing::ValuesIn(variants()),
                         [](const auto& variant) {
                           return fmt::format("{}_{}", variant.param.strategy, variant.index);
                         });

TEST(AHistory, CountsEveryAccessOfAWorkload) {
  // 540 training cells and 60 held-out ones, each with a pull and (training) a push of two keys.
  EXPECT_EQ(result_of("workload: {rank: 3, dataset: {rows: 60, cols: 20, cells: 600, "
                      "test_share: 0.1}}\n"
                      "checks: {history: true}\n"),
            "ok: 1200 pulls, 1080 pushes checked, 0 not");
}

TEST(AHistory, ThatDoesNotFitIntoItsMemoryIsCheckedInPart) {
  const std::string result = result_of(
      "cluster: {nodes: 2, workers_per_node: 2}\n"
      "workload: {rank: 1, dataset: {rows: 300, cols: 80, cells: 10000}}\n"
      "checks: {history: true, history_memory: 1}\n");
  EXPECT_THAT(result, StartsWith("ok: 20000 pulls, 19800 pushes checked, "));
  EXPECT_THAT(result, testing::Not(HasSubstr(", 0 not")));
}

TEST(AHistory, OfTooManyWorkersIsRefused) {
  EXPECT_THAT(result_of("cluster: {nodes: 64, workers_per_node: 8}\nchecks: {history: true}\n"),
              HasSubstr("checks.history: counts each worker's pushes in every value, for at most "
                        "256 workers; the cluster has 512"));
}

}  // namespace
}  // namespace pslab::test
