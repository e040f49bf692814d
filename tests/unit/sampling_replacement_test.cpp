// Samples without replacement, in every scheme that has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

using testing::HasSubstr;

struct Case {
  std::string scheme;
  std::string options;  ///< further ones
  std::string name;

  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class WithoutReplacement : public testing::TestWithParam<Case> {
 protected:
  WithoutReplacement() {
    worker_.context.is_local = [](Key) { return true; };
  }
  static std::string options() { return "{replacement: false" + GetParam().options + "}"; }
  SamplingWorker worker_{GetParam().scheme, options()};
};
INSTANTIATE_TEST_SUITE_P(
    Of, WithoutReplacement,
    testing::Values(Case{"independent", ", prelocalize: false", "IndependentDrawnLate"},
                    Case{"independent", ", prelocalize: true", "IndependentDrawnAhead"},
                    Case{"reuse", ", group: 10, uses: 3", "Reuse"},
                    Case{"reuse", ", group: 10, uses: 3, postpone: true", "Postponing"},
                    Case{"local", ", method: rejection", "LocalByRejection"},
                    Case{"local", ", method: scan", "LocalByScan"}),
    [](const auto& scheme) { return scheme.param.name; });

TEST_P(WithoutReplacement, PromisesNothing) {
  EXPECT_EQ(make_scheme(GetParam().scheme, options())->conformity(), Conformity::kNone);
}

TEST_P(WithoutReplacement, KeysOfACallAreDistinct) {
  for (int i = 0; i < 1000; ++i) {
    worker_.prepare(12);
    for (const std::size_t size : {8U, 4U}) {
      const std::vector<Key> keys = worker_.pull(size);
      ASSERT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), size);
    }
  }
}

TEST_P(WithoutReplacement, ACallCanHaveAllKeysThereAre) {
  worker_.prepare(kSamples);
  const std::vector<Key> keys = worker_.pull(kSamples);
  EXPECT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), kSamples);
}

TEST_P(WithoutReplacement, ACallForMoreKeysThanThereAreIsRefused) {
  worker_.prepare(kSamples + 1);
  try {
    worker_.pull(kSamples + 1);
    FAIL() << "nothing was thrown";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a pull asks for 21 different samples, but after 20 of "
                                        "them 10000 draws gave no other"));
  }
  EXPECT_LE(worker_.drawn.size(), 20'000U);
}

TEST_P(WithoutReplacement, TheFirstOfACallFollowsTheTargetAndTheRestDoesNot) {
  const std::vector<Key> keys = worker_.rounds(100'000, 4);
  EXPECT_GT(misfit(every(keys, 3, 4), target), kMuch);
  if (GetParam().scheme == "reuse") return;  // samples depend on those before
  EXPECT_LT(misfit(every(keys, 0, 4), target), kMost);
}

}  // namespace
}  // namespace pslab::test
