// Runs on real processes that check their own history: every strategy passes on 1 process and on 2
// and 3, and defects are found.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "tests/conformance/launched.hpp"
#include "tests/conformance/real_history.hpp"
#include "tests/conformance/variants.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string on_one(const Variant& variant, std::uint64_t seed, const std::string& mutant) {
  return run_in_child([&] {
           return perform_history(real_history(variant.strategy, variant.options, seed, 1),
                                  real_mutant(mutant));
         })
      .text;
}

std::string on_several(const Variant& variant, std::uint64_t seed, NodeId nodes,
                       const std::string& mutant) {
  return launched({PSLAB_REAL_HISTORY_CHILD, variant.strategy, variant.options,
                   std::to_string(seed), std::to_string(nodes), mutant},
                  nodes, fmt::format("pslab-history-{}-{}-{}", ::getpid(), seed, nodes));
}

class CheckedOnRealProcesses : public testing::TestWithParam<Variant> {};

TEST_P(CheckedOnRealProcesses, StrategiesKeepTheirPromises) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ASSERT_THAT(on_one(GetParam(), seed, ""), StartsWith("ok: ")) << seed;
  }
  for (const NodeId nodes : {2U, 3U}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      ASSERT_THAT(on_several(GetParam(), seed, nodes, ""), StartsWith("ok: "))
          << seed << " on " << nodes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CheckedOnRealProcesses, testing::ValuesIn(variants()),
                         [](const auto& variant) {
                           return fmt::format("{}_{}", variant.param.strategy, variant.index);
                         });

TEST(AMutantOnRealProcesses, ThatAppliesAPushTwiceIsCaught) {
  const std::string rule =
      "checks.history: 'every update exactly once' does not hold in epoch 1: key ";
  const Variant through_server{"static", "{fast_local_access: false}"};
  EXPECT_THAT(on_one(through_server, 1, "double pushes"), HasSubstr(rule));
  EXPECT_THAT(on_several({"static", "{}"}, 1, 3, "double pushes"), HasSubstr(rule));
}

TEST(AMutantOnRealProcesses, ThatAnswersWithAnOldValueIsCaught) {
  const std::string rule = "checks.history: '(reads own writes|completed updates are seen)' ";
  const Variant through_server{"static", "{fast_local_access: false}"};
  EXPECT_THAT(on_one(through_server, 1, "old replies"), testing::ContainsRegex(rule));
  EXPECT_THAT(on_several({"static", "{}"}, 1, 3, "old replies"), testing::ContainsRegex(rule));
}

}  // namespace
}  // namespace pslab::test
