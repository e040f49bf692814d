// The blocks of dsgd's sub-epochs; what every schedule must do is in mf_schedule_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "workloads/matrix_factorization/schedule.hpp"

namespace pslab::mf {
namespace {

using Range = std::pair<std::uint32_t, std::uint32_t>;  // columns [first, second)
using Square = std::vector<std::vector<Range>>;         // by sub-epoch and worker

constexpr std::uint64_t kSeed = 5;
constexpr std::uint32_t kCols = 53;

class DsgdBlocks : public testing::TestWithParam<Cluster> {
 protected:
  Square square(int epoch, std::uint64_t seed = kSeed) const {
    const Schedule schedule(Order::kDsgd, GetParam(), 60, kCols, 0, {{0, 0, 1.0F}, {59, 52, 2.0F}});
    Square all(schedule.sub_epochs());
    for (std::uint32_t sub = 0; sub < schedule.sub_epochs(); ++sub) {
      for (WorkerId worker = 0; worker < GetParam().workers(); ++worker) {
        all[sub].push_back(schedule.columns(worker, epoch, sub, seed));
      }
    }
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(On, DsgdBlocks,
                         testing::Values(Cluster{1, 1}, Cluster{2, 2}, Cluster{5, 1}, Cluster{3, 4},
                                         Cluster{20, 4}),
                         [](const auto& on) {
                           return std::to_string(on.param.nodes) + "x" +
                                  std::to_string(on.param.workers_per_node);
                         });

/// True if the ranges do not overlap and together are all columns.
bool is_partition(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::uint32_t next = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != next) return false;
    next = end;
  }
  return next == kCols;
}

TEST_P(DsgdBlocks, FormALatinSquareInEveryEpoch) {
  for (int epoch = 1; epoch <= 5; ++epoch) {
    const Square blocks = square(epoch);
    for (const auto& sub_epoch : blocks) EXPECT_TRUE(is_partition(sub_epoch));
    for (WorkerId worker = 0; worker < GetParam().workers(); ++worker) {
      std::vector<Range> over_time;
      for (const auto& sub_epoch : blocks) over_time.push_back(sub_epoch[worker]);
      EXPECT_TRUE(is_partition(over_time)) << "worker " << worker << " in epoch " << epoch;
    }
  }
}

TEST_P(DsgdBlocks, AreDrawnAnewForEveryEpochAndSeedAndTheSameForTheSameSeed) {
  EXPECT_EQ(square(1), square(1));
  if (GetParam().workers() < 4) return;  // so few squares that two may well be equal
  EXPECT_NE(square(1), square(2));
  EXPECT_NE(square(1), square(1, kSeed + 1));
}

}  // namespace
}  // namespace pslab::mf
