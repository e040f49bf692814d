#include "cli/time_left.hpp"

#include <gtest/gtest.h>

namespace pslab::cli {
namespace {

TEST(TimeUntilAllEnd, IsThatOfTheLongestWhenNoRunWaits) {
  EXPECT_EQ(time_until_all_end({5}, 0, 100), 5);
  EXPECT_EQ(time_until_all_end({5, 30, 7}, 0, 100), 30);
}

TEST(TimeUntilAllEnd, LetsWaitingRunsTakeThePlacesThatBecomeFreeFirst) {
  EXPECT_EQ(time_until_all_end({5}, 3, 10), 35);
  EXPECT_EQ(time_until_all_end({5, 8}, 1, 10), 15);  // a run cannot be shared by two places
  EXPECT_EQ(time_until_all_end({5, 8}, 2, 10), 18);
  EXPECT_EQ(time_until_all_end({5, 8}, 3, 10), 25);
  EXPECT_EQ(time_until_all_end({5, 100}, 3, 10), 100);
}

}  // namespace
}  // namespace pslab::cli
