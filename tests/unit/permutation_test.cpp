#include "base/permutation.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/chi_square.hpp"

namespace pslab {
namespace {

std::vector<std::uint64_t> images(const Permutation& permutation) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < permutation.size(); ++i) all.push_back(permutation(i));
  return all;
}

TEST(APermutation, ReachesEveryNumberOnce) {
  std::vector<std::uint64_t> sizes = {1000, 1023, 1024, 1025, 100'003};
  for (std::uint64_t size = 1; size <= 130; ++size) sizes.push_back(size);
  for (const std::uint64_t size : sizes) {
    std::vector<bool> seen(size, false);
    for (const std::uint64_t image : images(Permutation(size, Random(1, "order")))) {
      ASSERT_LT(image, size);
      EXPECT_FALSE(seen[image]) << image << " twice among " << size;
      seen[image] = true;
    }
  }
}

TEST(APermutation, IsDecidedByItsRandomStream) {
  const auto order = [](std::uint64_t number) {
    return images(Permutation(1000, Random(1, "order", number)));
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(APermutation, SendsANumberEverywhereEquallyOftenOverAllStreams) {
  for (const std::size_t size : {2U, 3U, 7U, 16U, 100U}) {
    std::vector<int> counts(size);
    for (std::uint64_t stream = 0; stream < 500 * size; ++stream) {
      ++counts[Permutation(size, Random(1, "order", stream))(size / 2)];
    }
    EXPECT_LT(test::chi_square(counts), test::chi_square_limit(size)) << size << " numbers";
  }
}

// The first numbers are the most popular places of a workload: placement by equal ranges and by
// remainder must both get their share.
TEST(APermutation, SpreadsTheFirstNumbersOverRangesAndRemainders) {
  constexpr std::uint64_t kSize = 100'000'000;
  const Permutation permutation(kSize, Random(1, "order"));
  std::vector<int> by_range(16);
  std::vector<int> by_remainder(16);
  std::vector<int> by_distance(16);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t image = permutation(i);
    ++by_range[image * 16 / kSize];
    ++by_remainder[image % 16];
    ++by_distance[(permutation(i + 1) + kSize - image) % kSize * 16 / kSize];
  }
  EXPECT_LT(test::chi_square(by_range), test::chi_square_limit(16));
  EXPECT_LT(test::chi_square(by_remainder), test::chi_square_limit(16));
  EXPECT_LT(test::chi_square(by_distance), test::chi_square_limit(16));
}

}  // namespace
}  // namespace pslab
