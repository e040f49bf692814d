#include "checks/numbers.hpp"

#include <gtest/gtest.h>

#include <span>
#include <stdexcept>
#include <vector>

namespace pslab::checks {
namespace {

WorkerHistory some_history() {
  WorkerHistory history;
  Event push;
  push.key = 3;
  push.own_before = 7;
  push.began = 11;
  push.began_s = 0.25;
  Event pull = push;
  pull.kind = Event::Kind::kPull;
  pull.evaluating = true;
  pull.own_after = 8;
  pull.ended = 12;
  pull.ended_s = 0.5;
  pull.seen = 4;
  pull.barriers = 2;
  pull.steps = 9;
  history.events = {push, pull};
  history.seen = {1, 2, 3, 6, 1.5, 0, 0, 1};
  history.pushed = {0, 0, 0, 8};
  history.pulls = 5;
  history.pushes = 4;
  history.dropped = 3;
  history.complete_until = 20;
  return history;
}

void expect_equal(const WorkerHistory& one, const WorkerHistory& other) {
  ASSERT_EQ(one.events.size(), other.events.size());
  for (std::size_t i = 0; i < one.events.size(); ++i) {
    const Event& a = one.events[i];
    const Event& b = other.events[i];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.evaluating, b.evaluating);
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.own_before, b.own_before);
    EXPECT_EQ(a.own_after, b.own_after);
    EXPECT_EQ(a.began, b.began);
    EXPECT_EQ(a.ended, b.ended);
    EXPECT_EQ(a.began_s, b.began_s);
    EXPECT_EQ(a.ended_s, b.ended_s);
    EXPECT_EQ(a.seen, b.seen);
    EXPECT_EQ(a.barriers, b.barriers);
    EXPECT_EQ(a.steps, b.steps);
  }
  EXPECT_EQ(one.seen, other.seen);
  EXPECT_EQ(one.pushed, other.pushed);
  EXPECT_EQ(one.complete_until, other.complete_until);
  EXPECT_EQ(one.pulls, other.pulls);
  EXPECT_EQ(one.pushes, other.pushes);
  EXPECT_EQ(one.dropped, other.dropped);
}

TEST(AHistoryAsNumbers, ReadsBackTheSame) {
  const NodeCopies sent{{1, 3}, {true, false}, {1, 0, 0, 1, 2, 0, 0, 2}};
  WorkerHistory history;
  NodeCopies copies;
  from_numbers(to_numbers(some_history(), &sent), history, copies);
  expect_equal(history, some_history());
  EXPECT_EQ(copies.keys, sent.keys);
  EXPECT_EQ(copies.replica, sent.replica);
  EXPECT_EQ(copies.seen, sent.seen);
}

TEST(AHistoryAsNumbers, LeavesCopiesAloneThatAnotherWorkerHandsOver) {
  WorkerHistory history;
  NodeCopies copies{{5}, {false}, {1, 1}};
  from_numbers(to_numbers(WorkerHistory{}, nullptr), history, copies);
  expect_equal(history, WorkerHistory{});
  EXPECT_EQ(copies.keys, std::vector<std::uint32_t>{5});
}

TEST(AHistoryAsNumbers, IsRefusedWhenItIsCutOff) {
  const std::vector<double> numbers = to_numbers(some_history(), nullptr);
  WorkerHistory history;
  NodeCopies copies;
  EXPECT_THROW(from_numbers(std::span(numbers).first(numbers.size() - 1), history, copies),
               std::logic_error);
}

}  // namespace
}  // namespace pslab::checks
