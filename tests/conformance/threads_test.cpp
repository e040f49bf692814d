// The conformance suite on one real process with two workers: all that threads of a node share.
// Also run under ThreadSanitizer.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/conformance/real_run.hpp"
#include "tests/conformance/variants.hpp"
#include "tests/support/child.hpp"

namespace pslab::test {
namespace {

class OnThreads : public testing::TestWithParam<Variant> {};

TEST_P(OnThreads, StrategiesKeepTheirPromises) {
  const Variant& variant = GetParam();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ChildResult result =
        run_in_child([&] { return perform(real_run(variant.strategy, variant.options, seed, 1)); });
    ASSERT_TRUE(result.finished && result.text.starts_with("ok"))
        << variant.strategy << " " << variant.options << " seed " << seed << ": " << result.text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OnThreads, testing::ValuesIn(variants()), [](const auto& variant) {
  return fmt::format("{}_{}", variant.param.strategy, variant.index);
});

}  // namespace
}  // namespace pslab::test
