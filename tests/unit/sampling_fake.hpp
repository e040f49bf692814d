// What a worker's sampler sees in tests, and statistics of the keys that it hands out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "config/yaml.hpp"

namespace pslab::test {

/// Keys of the task: first some that the target never gives, then those that it does.
inline constexpr Key kOthers = 5;
inline constexpr Key kSamples = 20;
inline constexpr Key kKeys = kOthers + kSamples;

/// Of the target: the later the key, the more frequent.
inline double target(Key key) {
  if (key < kOthers) return 0.0;
  return static_cast<double>(key - kOthers + 1) / (kSamples * (kSamples + 1) / 2.0);
}

inline Key draw_from_target(Random& random) {
  std::uint64_t ticket = random.below(kSamples * (kSamples + 1) / 2);
  Key rank = 0;
  while (ticket > rank) ticket -= ++rank;
  return kOthers + rank;
}

inline std::unique_ptr<SamplingScheme> make_scheme(const std::string& name,
                                                   const std::string& options) {
  const config::Value given = config::parse_yaml(options, "test");
  config::Options read(&given, "sampling");
  auto scheme = Registry<SamplingScheme>::instance().find(name, "scheme", "test").make(read);
  read.finish();
  return scheme;
}

/// A worker with a sampler. What is local, and where, is up to the test.
class SamplingWorker {
 public:
  explicit SamplingWorker(std::unique_ptr<Sampler> sampler) : sampler_(std::move(sampler)) {
    context.draw = [this](Random& random) {
      drawn.push_back(draw_from_target(random));
      return drawn.back();
    };
    context.is_local = [](Key) { return false; };
    context.is_replicated = [](Key) { return false; };
    context.localize = [this](std::span<const Key> keys) {
      localized.insert(localized.end(), keys.begin(), keys.end());
    };
    context.announce = [this](std::span<const Key> keys) {
      announced.insert(announced.end(), keys.begin(), keys.end());
    };
    context.keys = &keys_;
  }
  explicit SamplingWorker(const std::string& scheme, const std::string& options = "{}")
      : SamplingWorker(make_scheme(scheme, options)->make_sampler()) {}
  SamplingWorker(const SamplingWorker&) = delete;
  SamplingWorker& operator=(const SamplingWorker&) = delete;

  void prepare(std::size_t n) { sampler_->prepare(context, n, random_); }
  std::vector<Key> pull(std::size_t n) {
    std::vector<Key> keys(n, kKeys);
    sampler_->pull(context, keys, random_);
    return keys;
  }
  /// `rounds` times: prepares `per_round` samples and pulls them in one call.
  std::vector<Key> rounds(std::size_t rounds, std::size_t per_round) {
    std::vector<Key> all;
    for (std::size_t i = 0; i < rounds; ++i) {
      prepare(per_round);
      const std::vector<Key> keys = pull(per_round);
      all.insert(all.end(), keys.begin(), keys.end());
    }
    return all;
  }

  SamplingContext context;
  std::vector<Key> drawn;
  std::vector<Key> localized;
  std::vector<Key> announced;

 private:
  KeySpace keys_{{{"others", kOthers, 1}, {"samples", kSamples, 1}}};
  std::unique_ptr<Sampler> sampler_;
  Random random_{3, "sampling test"};
};

/// Every `step`-th of `keys`, beginning with number `first`.
inline std::vector<Key> every(std::span<const Key> keys, std::size_t first, std::size_t step) {
  std::vector<Key> some;
  for (std::size_t i = first; i < keys.size(); i += step) some.push_back(keys[i]);
  return some;
}

inline std::vector<double> counts(std::span<const Key> keys) {
  std::vector<double> counts(kKeys, 0.0);
  for (const Key key : keys) counts[key] += 1.0;
  return counts;
}

// Both statistics below are nearly normal with mean 0 and deviation 1 when what is asked holds: by
// chance they exceed kMost once in millions of seeds. Wrong samplers exceed kMuch.
inline constexpr double kMost = 5.0;
inline constexpr double kMuch = 15.0;

/// Wilson and Hilferty, PNAS 1931.
inline double normal_from_chi_square(double statistic, double freedom) {
  const double variance = 2.0 / (9.0 * freedom);
  return (std::cbrt(statistic / freedom) - 1.0 + variance) / std::sqrt(variance);
}

/// Do independent keys have this distribution? Keys that it never gives count as infinitely wrong.
/// `repeats`: so many times each of the independent keys is there.
inline double misfit(std::span<const Key> keys, const std::function<double(Key)>& share,
                     double repeats = 1.0) {
  const std::vector<double> found = counts(keys);
  double statistic = 0.0;
  double cells = 0.0;
  for (Key key = 0; key < kKeys; ++key) {
    const double expected = static_cast<double>(keys.size()) * share(key);
    if (expected > 0.0) {
      statistic += (found[key] - expected) * (found[key] - expected) / expected;
      cells += 1.0;
    } else if (found[key] > 0.0) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return normal_from_chi_square(statistic / repeats, cells - 1.0);
}

/// Are first[i] and second[i] independent of each other? The pairs must be.
inline double dependence(std::span<const Key> first, std::span<const Key> second) {
  constexpr std::size_t kClasses = 4;
  const std::size_t n = std::min(first.size(), second.size());
  std::vector<double> pairs(kClasses * kClasses, 0.0);
  std::vector<double> of_first(kClasses, 0.0);
  std::vector<double> of_second(kClasses, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    pairs[first[i] % kClasses * kClasses + second[i] % kClasses] += 1.0;
    of_first[first[i] % kClasses] += 1.0;
    of_second[second[i] % kClasses] += 1.0;
  }
  double statistic = 0.0;
  for (std::size_t cell = 0; cell < pairs.size(); ++cell) {
    const double expected =
        of_first[cell / kClasses] * of_second[cell % kClasses] / static_cast<double>(n);
    statistic += (pairs[cell] - expected) * (pairs[cell] - expected) / expected;
  }
  return normal_from_chi_square(statistic, (kClasses - 1.0) * (kClasses - 1.0));
}

}  // namespace pslab::test
