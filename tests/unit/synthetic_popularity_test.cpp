#include "workloads/synthetic/popularity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "tests/unit/chi_square.hpp"
#include "tests/unit/synthetic_options.hpp"

namespace pslab::synthetic {
namespace {

using test::synthetic_options;

/// Accesses of each worker to each key when it makes `draws` in each of the steps.
std::vector<std::vector<int>> draw(const std::string& yaml, WorkerId workers, std::uint64_t begin,
                                   std::uint64_t end, int draws) {
  const Options options = synthetic_options(yaml);
  const Popularity popularity(options, workers, 1);
  std::vector<std::vector<int>> counts(workers, std::vector<int>(options.keys));
  for (WorkerId worker = 0; worker < workers; ++worker) {
    Random random(1, "draws", worker);
    for (std::uint64_t step = begin; step < end; ++step) {
      for (int i = 0; i < draws; ++i) ++counts[worker][popularity.draw(worker, step, random)];
    }
  }
  return counts;
}

std::vector<int> of_all(const std::vector<std::vector<int>>& by_worker) {
  std::vector<int> sum(by_worker[0].size());
  for (const auto& counts : by_worker) {
    std::transform(counts.begin(), counts.end(), sum.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

/// The most accessed keys in one step, in order of accesses.
std::vector<Key> favourites(const std::string& yaml, std::uint64_t step, std::size_t most = 3) {
  const std::vector<int> counts = of_all(draw(yaml, 1, step, step + 1, 20'000));
  std::vector<Key> keys(counts.size());
  std::iota(keys.begin(), keys.end(), Key{0});
  std::stable_sort(keys.begin(), keys.end(), [&](Key a, Key b) { return counts[a] > counts[b]; });
  keys.resize(most);
  return keys;
}

TEST(DirectAccesses, AreAsOftenAsExpectedWithLocalityDriftAndPhases) {
  constexpr WorkerId kWorkers = 4;
  constexpr int kDraws = 200;  // in each step of each worker
  for (const std::string law :
       {"zipf: 0", "zipf: 1.1", "zipf: 0.8, locality: 1", "zipf: 0.8, locality: 0.4",
        "zipf: 0.8, drift: 0.5", "zipf: 0.8, drift: 1, locality: 0.4", "zipf: 0.8, phases: 3",
        "zipf: 1.1, locality: 0.7, drift: 0.5, phases: 3"}) {
    // 103 keys leave a remainder of 3 in groups of 4; drift of 1 goes round almost three times.
    const std::string yaml = "{keys: 103, steps: 300, " + law + "}";
    const Options options = synthetic_options(yaml);
    const Popularity popularity(options, kWorkers, 1);
    std::vector<float> expected(options.keys);
    for (std::uint64_t phase = 0; phase < options.phases; ++phase) {
      const std::uint64_t steps = popularity.first_step(phase + 1) - popularity.first_step(phase);
      popularity.add_direct(phase, static_cast<double>(kWorkers * kDraws * steps), expected);
    }
    EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), kWorkers * kDraws * 300.0,
                1.0)
        << law;
    const std::vector<int> seen = of_all(draw(yaml, kWorkers, 0, 300, kDraws));
    std::vector<int> counts;
    std::vector<double> wanted;
    for (Key key = 0; key < options.keys; ++key) {
      if (expected[key] == 0.0F) {
        EXPECT_EQ(seen[key], 0) << law << ", key " << key;
        continue;
      }
      counts.push_back(seen[key]);
      wanted.push_back(double{expected[key]});
    }
    EXPECT_LT(test::chi_square(counts, wanted), test::chi_square_limit(counts.size())) << law;
  }
}

TEST(DirectAccesses, AreNotFavouredByRangesOfKeys) {
  const std::vector<int> counts = of_all(draw("{keys: 100000, zipf: 0.5}", 1, 0, 1, 100'000));
  for (std::size_t range = 0; range < 4; ++range) {
    const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(range * 25'000);
    EXPECT_NEAR(std::accumulate(begin, begin + 25'000, 0), 25'000, 1500) << "quarter " << range;
  }
}

TEST(LocalAccesses, StayInAPartThatNoOtherWorkerUses) {
  const auto by_worker = draw("{keys: 43, steps: 100, locality: 1, drift: 1}", 4, 0, 100, 100);
  for (Key key = 0; key < 43; ++key) {
    const auto users = std::count_if(by_worker.begin(), by_worker.end(),
                                     [&](const auto& counts) { return counts[key] > 0; });
    EXPECT_LE(users, 1) << "key " << key;
  }
  for (const auto& counts : by_worker) {
    EXPECT_EQ(std::count_if(counts.begin(), counts.end(), [](int n) { return n > 0; }), 10)
        << "a part is 43 / 4 keys";
  }
}

TEST(LocalAccesses, AreTheShareThatWasAskedFor) {
  const auto parts = draw("{keys: 40, steps: 1, locality: 1}", 4, 0, 1, 10'000);
  const auto mixed = draw("{keys: 40, steps: 1, locality: 0.6}", 4, 0, 1, 10'000);
  int own = 0;
  for (std::size_t worker = 0; worker < 4; ++worker) {
    for (Key key = 0; key < 40; ++key) {
      if (parts[worker][key] > 0) own += mixed[worker][key];
    }
  }
  EXPECT_NEAR(own / 40'000.0, 0.6 + 0.4 / 4, 0.015);
}

TEST(LocalAccesses, ComeFromOtherPartsInOtherPhases) {
  const std::string yaml = "{keys: 40, steps: 2, locality: 1, phases: 2}";
  EXPECT_NE(draw(yaml, 4, 0, 1, 1000)[0], draw(yaml, 4, 1, 2, 1000)[0]);
}

TEST(LocalAccesses, NeedAKeyForEachWorker) {
  const Options few = synthetic_options("{keys: 3, locality: 0.1}");
  EXPECT_NO_THROW(Popularity(few, 3, 1));
  try {
    const Popularity popularity(few, 4, 1);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("4 workers cannot have a part each of 3 keys"));
  }
  EXPECT_NO_THROW(Popularity(synthetic_options("{keys: 3}"), 4, 1));
}

TEST(Drift, MovesTheOrderOfPopularityOnByRanksPerStep) {
  const std::string law = "{keys: 50, steps: 100, zipf: 3, drift: ";
  const std::vector<Key> first = favourites(law + "0.25}", 0);
  EXPECT_EQ(favourites(law + "0.25}", 3), first);
  EXPECT_EQ(favourites(law + "0.25}", 4, 2), (std::vector<Key>{first[1], first[2]}));
  EXPECT_EQ(favourites(law + "2}", 1, 1), std::vector<Key>{first[2]});
  EXPECT_EQ(favourites(law + "0}", 99), first);
  EXPECT_EQ(favourites(law + "1}", 50), first) << "after a round";
}

TEST(Phases, DivideAnEpochAndHaveAnOrderEach) {
  const std::string yaml = "{keys: 1000, steps: 10, zipf: 3, phases: 3}";
  const Popularity popularity(synthetic_options(yaml), 1, 1);
  std::vector<std::uint64_t> first_steps;
  for (std::uint64_t phase = 0; phase <= 3; ++phase) {
    first_steps.push_back(popularity.first_step(phase));
  }
  EXPECT_EQ(first_steps, (std::vector<std::uint64_t>{0, 4, 7, 10}));
  std::set<std::vector<Key>> orders;
  for (std::uint64_t step = 0; step < 10; ++step) orders.insert(favourites(yaml, step));
  EXPECT_EQ(orders.size(), 3U);
  EXPECT_EQ(favourites(yaml, 0), favourites(yaml, 3));
  EXPECT_EQ(favourites(yaml, 4), favourites(yaml, 6));
}

TEST(SampleAccesses, AreAsOftenAsExpectedInTheOrderOfTheDirectOnes) {
  constexpr int kDraws = 50'000;
  const Options options = synthetic_options("{keys: 100, zipf: 3, sample_zipf: 0.75}");
  const Popularity popularity(options, 4, 1);
  std::vector<float> direct(options.keys);
  std::vector<float> expected(options.keys);
  popularity.add_direct(0, kDraws, direct);
  popularity.add_samples(kDraws, expected);
  std::vector<int> counts(options.keys);
  Random random(1, "samples");
  for (int i = 0; i < kDraws; ++i) ++counts[popularity.draw_sample(random)];
  EXPECT_LT(test::chi_square(counts, {expected.begin(), expected.end()}),
            test::chi_square_limit(options.keys));
  EXPECT_EQ(std::ranges::max_element(direct) - direct.begin(),
            std::ranges::max_element(expected) - expected.begin());
}

}  // namespace
}  // namespace pslab::synthetic
