#include "workloads/matrix_factorization/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/dot.hpp"
#include "workloads/matrix_factorization/kernels.hpp"

namespace pslab::mf {
namespace {

using data::Cell;

std::vector<float> random_vector(Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

TEST(Kernels, DotAgreesWithDoublesAtEveryLength) {
  Random random(1, "dot");
  for (std::size_t n = 0; n <= 67; ++n) {
    const std::vector<float> a = random_vector(random, n);
    const std::vector<float> b = random_vector(random, n);
    double expected = 0.0;
    double magnitude = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      expected += double{a[i]} * double{b[i]};
      magnitude += std::abs(double{a[i]} * double{b[i]});
    }
    EXPECT_NEAR(double{dot(a.data(), b.data(), n)}, expected, 1e-6 * magnitude) << "length " << n;
  }
}

TEST(Kernels, GradientStepAgreesWithDoublesAndCutsAtTheLimit) {
  constexpr float kError = -1.5F, kStep = 0.5F, kRowDecay = 0.25F, kColDecay = 0.5F, kLimit = 0.6F;
  Random random(2, "gradient");
  std::size_t cut = 0;
  std::size_t kept = 0;
  const auto check = [&](float seen, double mine, double other, double decay, std::size_t n) {
    const double wanted = double{kStep} * (double{kError} * other - decay * mine);
    if (std::abs(wanted) > double{kLimit} + 1e-5) {
      EXPECT_EQ(seen, wanted > 0 ? kLimit : -kLimit) << "length " << n;
      ++cut;
    } else {
      EXPECT_NEAR(double{seen}, wanted, 1e-5) << "length " << n;
      EXPECT_LE(std::abs(seen), kLimit);
      ++kept;
    }
  };
  for (std::size_t n = 0; n <= 35; ++n) {
    const std::vector<float> w = random_vector(random, n);
    const std::vector<float> h = random_vector(random, n);
    std::vector<float> dw(n + 1, 99.0F);
    std::vector<float> dh(n + 1, 99.0F);
    gradient_step(w.data(), h.data(), {kError, kStep, kRowDecay, kColDecay, kLimit}, dw.data(),
                  dh.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      check(dw[i], double{w[i]}, double{h[i]}, double{kRowDecay}, n);
      check(dh[i], double{h[i]}, double{w[i]}, double{kColDecay}, n);
    }
    EXPECT_TRUE(dw[n] == 99.0F && dh[n] == 99.0F) << "wrote behind the end";
  }
  EXPECT_GT(cut, 100U);
  EXPECT_GT(kept, 100U);
}

// The version for this machine's widest instructions gives what the plain one gives, to the last
// bit.
TEST(Kernels, GiveTheSameOnEveryMachine) {
  Random random(7, "kernels");
  for (std::size_t n = 0; n <= 200; n += n < 70 ? 1 : 13) {
    const std::vector<float> a = random_vector(random, n);
    const std::vector<float> b = random_vector(random, n);
    volatile float sums[32] = {};  // volatile: one addition after the other
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
      for (std::size_t lane = 0; lane < 32; ++lane) {
        sums[lane] = sums[lane] + a[i + lane] * b[i + lane];
      }
    }
    for (std::size_t half = 16; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) sums[lane] = sums[lane] + sums[lane + half];
    }
    volatile float expected = sums[0];
    for (; i < n; ++i) expected = expected + a[i] * b[i];
    EXPECT_EQ(dot(a.data(), b.data(), n), float{expected}) << "length " << n;

    std::vector<float> dw(n);
    std::vector<float> dh(n);
    gradient_step(a.data(), b.data(), {0.7F, 0.02F, 0.001F, 0.003F, 100.0F}, dw.data(), dh.data(),
                  n);
    for (i = 0; i < n; ++i) {
      volatile const float row = 0.7F * b[i];
      volatile const float row_decay = 0.001F * a[i];
      EXPECT_EQ(dw[i], 0.02F * (row - row_decay));
      volatile const float column = 0.7F * a[i];
      volatile const float column_decay = 0.003F * b[i];
      EXPECT_EQ(dh[i], 0.02F * (column - column_decay));
    }
  }
}

/// Small, so that blocks have several tiles.
constexpr std::uint32_t kTileRows = 3;

struct Shape {
  const char* name;
  Cluster cluster;
  std::uint32_t rows;
  std::uint32_t cols;
};
constexpr Shape kShapes[] = {{"one worker", {1, 1}, 20, 15},
                             {"uneven", {3, 2}, 41, 29},
                             {"few columns", {2, 4}, 50, 3},
                             {"fewer rows than nodes", {4, 2}, 3, 20},
                             {"fewer rows than workers", {2, 4}, 5, 5},
                             {"one cell", {3, 3}, 1, 1}};

std::vector<Cell> cells_of(const Shape& shape) {
  std::vector<Cell> cells;
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    for (std::uint32_t col = 0; col < shape.cols; ++col) {
      if (mix64(row * 1000 + col) % 3 != 0 || shape.rows * shape.cols < 20) {
        cells.push_back({row, col, static_cast<float>(row * 1000 + col)});
      }
    }
  }
  return cells;
}

struct VisitedRun {
  WorkerId worker;
  std::uint32_t sub_epoch;
  std::vector<Cell> cells;
};

std::vector<VisitedRun> epoch_of(const Schedule& schedule, Cluster cluster, int epoch,
                                 std::uint64_t seed) {
  std::vector<VisitedRun> result;
  Visit visit;
  for (WorkerId worker = 0; worker < cluster.workers(); ++worker) {
    Random random(seed, "schedule test", worker, static_cast<std::uint64_t>(epoch));
    for (std::uint32_t sub = 0; sub < schedule.sub_epochs(); ++sub) {
      schedule.start(worker, epoch, sub, seed, random, visit);
      for (std::size_t index = 0; index < visit.runs.size(); ++index) {
        const auto run = schedule.next_run(index, random, visit);
        result.push_back({worker, sub, {run.begin(), run.end()}});
      }
    }
  }
  return result;
}

std::vector<float> values_of(const std::vector<VisitedRun>& runs) {
  std::vector<float> values;
  for (const VisitedRun& run : runs) {
    for (const Cell& cell : run.cells) values.push_back(cell.value);
  }
  return values;
}

class ScheduleTest : public testing::TestWithParam<Order> {};

TEST_P(ScheduleTest, VisitsEveryCellOncePerEpochAndARowOnItsNodeOnly) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    const std::vector<Cell> cells = cells_of(shape);
    Schedule schedule(GetParam(), shape.cluster, shape.rows, shape.cols, kTileRows, cells);
    std::map<float, WorkerId> worker_of;
    for (int epoch = 0; epoch < 3; ++epoch) {
      std::map<float, int> visits;
      for (const VisitedRun& run : epoch_of(schedule, shape.cluster, epoch, 5)) {
        const auto [first, last] = schedule.rows(run.worker / shape.cluster.workers_per_node);
        for (const Cell& cell : run.cells) {
          ++visits[cell.value];
          EXPECT_EQ(cell.value, static_cast<float>(cell.row * 1000 + cell.col));
          EXPECT_TRUE(first <= cell.row && cell.row < last) << "row " << cell.row;
          EXPECT_EQ(worker_of.emplace(cell.value, run.worker).first->second, run.worker);
        }
      }
      EXPECT_EQ(visits.size(), cells.size());
      for (const auto& [value, count] : visits) EXPECT_EQ(count, 1) << "cell " << value;
    }
    std::uint32_t next = 0;
    for (NodeId node = 0; node < shape.cluster.nodes; ++node) {
      EXPECT_EQ(schedule.rows(node).first, next);
      next = schedule.rows(node).second;
    }
    EXPECT_EQ(next, shape.rows);
  }
}

TEST_P(ScheduleTest, DependsOnSeedAndEpochOnly) {
  const Shape& shape = kShapes[1];
  const auto order = [&](int epoch, std::uint64_t seed) {
    Schedule schedule(GetParam(), shape.cluster, shape.rows, shape.cols, kTileRows,
                      cells_of(shape));
    return values_of(epoch_of(schedule, shape.cluster, epoch, seed));
  };
  EXPECT_EQ(order(0, 5), order(0, 5));
  EXPECT_NE(order(0, 5), order(0, 6));
  EXPECT_NE(order(0, 5), order(1, 5));

  const Schedule schedule(GetParam(), shape.cluster, shape.rows, shape.cols, kTileRows,
                          cells_of(shape));
  epoch_of(schedule, shape.cluster, 0, 5);
  EXPECT_EQ(values_of(epoch_of(schedule, shape.cluster, 1, 5)), order(1, 5)) << "after epoch 0";
}

constexpr const char* kOrderNames[] = {"ColumnWise", "Plain", "Dsgd"};
INSTANTIATE_TEST_SUITE_P(Orders, ScheduleTest,
                         testing::Values(Order::kColumnWise, Order::kPlain, Order::kDsgd),
                         [](const auto& order) {
                           return kOrderNames[static_cast<std::size_t>(order.param)];
                         });

TEST(ColumnWiseSchedule, AWorkerVisitsTheCellsOfAColumnInOneRun) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    Schedule schedule(Order::kColumnWise, shape.cluster, shape.rows, shape.cols, kTileRows,
                      cells_of(shape));
    for (int epoch = 0; epoch < 2; ++epoch) {
      std::set<std::pair<WorkerId, std::uint32_t>> seen;
      for (const VisitedRun& run : epoch_of(schedule, shape.cluster, epoch, 5)) {
        ASSERT_FALSE(run.cells.empty());
        EXPECT_TRUE(seen.emplace(run.worker, run.cells[0].col).second) << "column visited twice";
        for (const Cell& cell : run.cells) EXPECT_EQ(cell.col, run.cells[0].col);
      }
    }
  }
}

TEST(DsgdSchedule, AWorkerVisitsTheCellsOfATileInOneRun) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    for (const std::uint32_t tile_rows : {0U, 1U, kTileRows}) {
      Schedule schedule(Order::kDsgd, shape.cluster, shape.rows, shape.cols, tile_rows,
                        cells_of(shape));
      const auto tile = [tile_rows](const Cell& cell) {
        return tile_rows == 0 ? 0 : cell.row / tile_rows;
      };
      std::set<std::tuple<WorkerId, std::uint32_t, std::uint32_t>> seen;
      for (const VisitedRun& run : epoch_of(schedule, shape.cluster, 1, 5)) {
        ASSERT_FALSE(run.cells.empty());
        EXPECT_TRUE(seen.emplace(run.worker, run.sub_epoch, tile(run.cells[0])).second)
            << "tile visited twice";
        for (const Cell& cell : run.cells) EXPECT_EQ(tile(cell), tile(run.cells[0]));
      }
    }
  }
}

TEST(DsgdSchedule, NoTwoWorkersShareAColumnInASubEpoch) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    Schedule schedule(Order::kDsgd, shape.cluster, shape.rows, shape.cols, kTileRows,
                      cells_of(shape));
    ASSERT_EQ(schedule.sub_epochs(), shape.cluster.workers());
    for (const VisitedRun& run : epoch_of(schedule, shape.cluster, 1, 5)) {
      const auto [first, last] = schedule.columns(run.worker, 1, run.sub_epoch, 5);
      for (const Cell& cell : run.cells) EXPECT_TRUE(first <= cell.col && cell.col < last);
    }
    for (std::uint32_t sub = 0; sub < schedule.sub_epochs(); ++sub) {
      std::vector<int> workers_on(shape.cols, 0);
      for (WorkerId worker = 0; worker < shape.cluster.workers(); ++worker) {
        const auto [first, last] = schedule.columns(worker, 1, sub, 5);
        for (std::uint32_t col = first; col < last; ++col) ++workers_on.at(col);
      }
      EXPECT_EQ(workers_on, std::vector<int>(shape.cols, 1)) << "sub-epoch " << sub;
    }
  }
}

}  // namespace
}  // namespace pslab::mf
