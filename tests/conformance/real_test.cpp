// The conformance suite on real processes: every registered strategy on 2, 3 and 4 that a launcher
// starts, with two workers each.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "real/launch.hpp"
#include "tests/conformance/real_run.hpp"
#include "tests/conformance/variants.hpp"

namespace pslab::test {
namespace {

class OnRealProcesses : public testing::TestWithParam<Variant> {};

/// What the processes printed, and their exit code.
std::string launched(const Variant& variant, std::uint64_t seed, NodeId nodes) {
  const std::string name = fmt::format("pslab-conformance-{}-{}-{}", ::getpid(), seed, nodes);
  const std::string board = "/dev/shm/" + name + ".board";
  ClusterSpec cluster;
  cluster.nodes = nodes;
  cluster.workers_per_node = 2;
  const Launch launch = real::mpi_launch(cluster,
                                         {PSLAB_REAL_CHILD, variant.strategy, variant.options,
                                          std::to_string(seed), std::to_string(nodes), board},
                                         name, real::surroundings());
  std::string line = "timeout -k 1 60 env";
  for (const auto& [variable, value] : launch.environment) line += " " + variable + "=" + value;
  for (const std::string& word : launch.command) line += " '" + word + "'";
  for (const std::string& folder : launch.folders) std::filesystem::create_directories(folder);
  std::string output;
  std::FILE* pipe = ::popen((line + " 2>&1 </dev/null").c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    output.append(part.data(), size);
  }
  const int status = ::pclose(pipe);
  std::filesystem::remove(board);
  for (const std::string& folder : launch.folders) std::filesystem::remove_all(folder);
  return status == 0 ? output : fmt::format("{}(status {})", output, status);
}

TEST_P(OnRealProcesses, StrategiesKeepTheirPromises) {
  const Variant& variant = GetParam();
  for (const NodeId nodes : {2U, 3U, 4U}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      ASSERT_EQ(launched(variant, seed, nodes), "")
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
