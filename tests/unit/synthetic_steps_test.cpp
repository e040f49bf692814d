// What the steps of the synthetic workload access, and what the workload says of itself.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/error.hpp"
#include "tests/unit/synthetic_options.hpp"
#include "workloads/synthetic/drawn_steps.hpp"

namespace pslab::synthetic {
namespace {

using test::synthetic_options;

/// The keys of all steps, each looked at as late as it is kept.
std::vector<std::vector<Key>> steps_of(const std::string& yaml, WorkerId worker, Random random) {
  const Options options = synthetic_options(yaml);
  const Popularity popularity(options, 4, 1);
  DrawnSteps drawn(options, popularity, worker, random);
  std::vector<std::vector<Key>> steps;
  for (std::uint64_t step = 0; step < options.steps; ++step) {
    while (drawn.next() < options.steps && drawn.next() <= step + options.lookahead) drawn.draw();
    const auto keys = drawn.keys(step);
    steps.emplace_back(keys.begin(), keys.end());
  }
  return steps;
}

TEST(DrawnSteps, AreTheSameHoweverFarAhead) {
  const std::string rest = ", steps: 50, keys: 1000, locality: 0.5, drift: 0.7, phases: 3}";
  const auto steps = steps_of("{lookahead: 0" + rest, 1, Random(1, "draws"));
  EXPECT_EQ(steps.size(), 50U);
  EXPECT_EQ(steps[0].size(), 8U);
  for (const std::string lookahead : {"1", "7", "49", "50", "1000000"}) {
    EXPECT_EQ(steps_of("{lookahead: " + lookahead + rest, 1, Random(1, "draws")), steps);
  }
}

TEST(DrawnSteps, DependOnTheRandomStreamAndTheWorker) {
  const std::string yaml = "{steps: 5, locality: 0.5}";
  EXPECT_NE(steps_of(yaml, 1, Random(1, "draws")), steps_of(yaml, 1, Random(2, "draws")));
  EXPECT_NE(steps_of(yaml, 1, Random(1, "draws")), steps_of(yaml, 2, Random(1, "draws")));
}

TEST(StepSizes, KeepTheSharesAtEveryStep) {
  for (const double sample_share : {0.0, 0.1, 0.3, 0.5, 0.999, 1.0}) {
    for (const double write_share : {0.0, 0.1, 0.5, 1.0}) {
      const Options options = synthetic_options(
          fmt::format("{{accesses: 3, sample_share: {}, write_share: {}, steps: 1000}}",
                      sample_share, write_share));
      StepSizes sum{};
      for (std::uint64_t step = 0; step < options.steps; ++step) {
        const StepSizes sizes = sizes_of(options, step);
        ASSERT_EQ(sizes.direct + sizes.samples, 3U);
        ASSERT_LE(sizes.direct_writes, sizes.direct);
        ASSERT_LE(sizes.sample_writes, sizes.samples);
        sum.samples += sizes.samples;
        sum.direct += sizes.direct;
        sum.direct_writes += sizes.direct_writes;
        sum.sample_writes += sizes.sample_writes;
        ASSERT_NEAR(static_cast<double>(sum.samples),
                    sample_share * 3 * static_cast<double>(step + 1), 0.51);
        ASSERT_NEAR(static_cast<double>(sum.direct_writes),
                    write_share * static_cast<double>(sum.direct), 0.51);
        ASSERT_NEAR(static_cast<double>(sum.sample_writes),
                    write_share * static_cast<double>(sum.samples), 0.51);
      }
    }
  }
}

TEST(StepSizes, AreTheSameInEveryStepWhereTheSharesAreWholeKeys) {
  const Options options =
      synthetic_options("{accesses: 10, sample_share: 0.3, write_share: 1, steps: 100000}");
  for (std::uint64_t step = 0; step < options.steps; ++step) {
    ASSERT_EQ(sizes_of(options, step).samples, 3U) << "step " << step;
    ASSERT_EQ(sizes_of(options, step).sample_writes, 3U) << "step " << step;
  }
}

TEST(SyntheticOptions, RefuseMorePhasesThanSteps) {
  try {
    synthetic_options("{steps: 10, phases: 11}");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("workload.phases: must not be larger than steps"));
  }
}

/// On 2 nodes with 2 workers each.
std::unique_ptr<Workload> workload(const std::string& yaml) {
  const config::Value given = config::parse_yaml(yaml, "test");
  config::Options options(&given, "workload");
  auto made = Registry<Workload>::instance().find("synthetic", "workload", "test").make(options);
  made->load({1, 2, 2, "", [](const std::string&) {}});
  return made;
}

double sum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(TheSyntheticWorkload, ExpectsTheReadsAndWritesOfAllWorkersInAnEpoch) {
  const auto mixed = workload(
      "{keys: 100, steps: 50, accesses: 8, sample_share: 0.25, "
      "write_share: 0.5, phases: 3, drift: 0.1, locality: 0.5}");
  EXPECT_NEAR(sum(mixed->direct_accesses()), 4 * 50 * 6 * 1.5, 0.01);
  EXPECT_NEAR(sum(mixed->sample_accesses()), 4 * 50 * 2 * 1.5, 0.01);
  EXPECT_TRUE(mixed->sample_distribution());
  const auto direct = workload("{keys: 100}");
  EXPECT_TRUE(direct->sample_accesses().empty());
  EXPECT_FALSE(direct->sample_distribution());
}

TEST(TheSyntheticWorkload, ExpectsNothingOfKeysThatOneWorkerUses) {
  EXPECT_EQ(workload("{keys: 100, locality: 1}")->direct_accesses(), std::vector<float>(100));
  EXPECT_GT(sum(workload("{keys: 100, locality: 1, phases: 2}")->direct_accesses()), 0.0);
}

TEST(TheSyntheticWorkload, CountsLostUpdatesOverAllEpochs) {
  const auto counting = workload("{keys: 100}");
  const auto lost = [&](double pushes, double counted, int epoch) {
    return counting->epoch_metrics(std::array{pushes, counted, 0.0}, epoch).at(0).value;
  };
  EXPECT_EQ(lost(10, 10, 1), 0.0);
  EXPECT_EQ(lost(10, 19, 2), 1.0);
  EXPECT_EQ(lost(0, 21, 3), -1.0);
  EXPECT_THROW(counting->epoch_metrics(std::array{0.0, 21.0, 1.0}, 4), RunError);
}

TEST(TheSyntheticWorkload, HasNoMetricWithoutEvaluation) {
  const auto blind = workload("{keys: 100, evaluate: false}");
  EXPECT_THAT(blind->metric_names(), testing::IsEmpty());
  EXPECT_THAT(blind->epoch_metrics(std::array{10.0, 0.0, 0.0}, 1), testing::IsEmpty());
}

}  // namespace
}  // namespace pslab::synthetic
