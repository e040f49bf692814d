#include "manager/operations.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace pslab::manager {
namespace {

const KeySpace kUniform({{"rows", 10, 4}, {"columns", 10, 4}});
const KeySpace kMixed({{"short", 10, 1}, {"long", 10, 5}});

TEST(AnOperation, FindsThePlaceOfEveryValueOfOneLength) {
  Operations operations;
  std::vector<float> values(12);
  const std::vector<Key> keys = {3, 15, 3};
  Operation& pull = operations.at(operations.open(kUniform, keys, values.data()));
  for (std::uint32_t tag = 0; tag < 3; ++tag) EXPECT_EQ(pull.place(tag), &values[tag * 4]);
}

TEST(AnOperation, FindsThePlaceOfValuesOfDifferentLengths) {
  Operations operations;
  std::vector<float> values(12);
  const std::vector<Key> keys = {12, 0, 19, 1};
  Operation& pull = operations.at(operations.open(kMixed, keys, values.data()));
  EXPECT_EQ(pull.place(0), &values[0]);
  EXPECT_EQ(pull.place(1), &values[5]);
  EXPECT_EQ(pull.place(2), &values[6]);
  EXPECT_EQ(pull.place(3), &values[11]);
}

TEST(AnOperation, BeginsAfreshWhereAnotherHasEnded) {
  Operations operations;
  std::vector<float> values(6);
  const std::vector<Key> before = {12, 13};
  const std::uint32_t first = operations.open(kMixed, before, values.data());
  operations.at(first).remaining = 2;
  operations.at(first).reason = metrics::Time::kRemoteWait;
  operations.close(first);
  const std::vector<Key> keys = {0, 13};
  const std::uint32_t second = operations.open(kMixed, keys, values.data());
  EXPECT_EQ(second, first);
  EXPECT_EQ(operations.at(second).remaining, 0U);
  EXPECT_EQ(operations.at(second).reason, metrics::Time::kRelocationWait);
  EXPECT_EQ(operations.at(second).place(1), &values[1]);
}

TEST(Operations, HaveDifferentNumbersWhileTheyAreOpen) {
  Operations operations;
  const std::vector<Key> keys = {1};
  std::set<std::uint32_t> numbers;
  for (int i = 0; i < 20; ++i) numbers.insert(operations.open(kUniform, keys, nullptr));
  EXPECT_EQ(numbers.size(), 20U);
  EXPECT_EQ(operations.num_open(), 20U);
  operations.close(*numbers.begin());
  operations.close(*numbers.rbegin());
  EXPECT_EQ(operations.num_open(), 18U);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(numbers.count(operations.open(kUniform, keys, nullptr)), 1U) << "a number is reused";
  }
  EXPECT_EQ(operations.num_open(), 20U);
}

}  // namespace
}  // namespace pslab::manager
