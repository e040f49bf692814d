// Every registered strategy keeps the promises of src/api/README.md, over random operations,
// clusters, delays and stragglers: no update is lost or applied twice, each key has one owner,
// workers read their own writes, the run ends, and the same seed gives the same run.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/conformance/random_run.hpp"
#include "tests/conformance/variants.hpp"
#include "tests/support/child.hpp"
#include "tests/support/seeds.hpp"

namespace pslab::test {
namespace {

constexpr std::uint64_t kSeeds = seeds(120);
constexpr std::uint64_t kRepeated = seeds(10);

class Strategies : public testing::TestWithParam<Variant> {};

TEST_P(Strategies, KeepTheirPromisesUnderRandomOperations) {
  const Variant& variant = GetParam();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const ChildResult result =
        run_in_child([&] { return perform(random_run(variant.strategy, variant.options, seed)); });
    ASSERT_TRUE(result.finished && result.text.starts_with("ok"))
        << variant.strategy << " " << variant.options << " seed " << seed << ": " << result.text;
  }
}

TEST_P(Strategies, RepeatARunExactlyFromTheSameSeed) {
  const Variant& variant = GetParam();
  for (std::uint64_t seed = 1; seed <= kRepeated; ++seed) {
    const auto once = [&] {
      return run_in_child(
                 [&] { return perform(random_run(variant.strategy, variant.options, seed)); })
          .text;
    };
    const std::string first = once();
    EXPECT_EQ(first, once()) << variant.strategy << " " << variant.options << " seed " << seed;
  }
}

TEST_P(Strategies, RunDifferentlyFromAnotherSeed) {
  const Variant& variant = GetParam();
  const auto run = [&](std::uint64_t seed) {
    return run_in_child(
               [&] { return perform(random_run(variant.strategy, variant.options, seed)); })
        .text;
  };
  EXPECT_NE(run(1), run(2));
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(variants()), [](const auto& variant) {
  return fmt::format("{}_{}", variant.param.strategy, variant.index);
});

}  // namespace
}  // namespace pslab::test
