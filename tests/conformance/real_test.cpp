// The conformance suite on real processes: every registered strategy on 2, 3 and 4 that a launcher
// starts, with two workers each.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/conformance/launched.hpp"
#include "tests/conformance/real_run.hpp"
#include "tests/conformance/variants.hpp"

namespace pslab::test {
namespace {

class OnRealProcesses : public testing::TestWithParam<Variant> {};

/// What the processes printed, and their exit code.
std::string launched_run(const Variant& variant, std::uint64_t seed, NodeId nodes) {
  const std::string name = fmt::format("pslab-conformance-{}-{}-{}", ::getpid(), seed, nodes);
  const std::string board = "/dev/shm/" + name + ".board";
  const std::string output = launched({PSLAB_REAL_CHILD, variant.strategy, variant.options,
                                       std::to_string(seed), std::to_string(nodes), board},
                                      nodes, name);
  std::filesystem::remove(board);
  return output;
}

TEST_P(OnRealProcesses, StrategiesKeepTheirPromises) {
  const Variant& variant = GetParam();
  for (const NodeId nodes : {2U, 3U, 4U}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      ASSERT_EQ(launched_run(variant, seed, nodes), "")
          << variant.strategy << " " << variant.options << " seed " << seed << " on " << nodes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OnRealProcesses, testing::ValuesIn(variants()),
                         [](const auto& variant) {
                           return fmt::format("{}_{}", variant.param.strategy, variant.index);
                         });

}  // namespace
}  // namespace pslab::test
