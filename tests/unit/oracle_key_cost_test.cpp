// The cheapest way to manage a key: the dynamic program against all ways there are.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "oracle/key_cost.hpp"

namespace pslab::oracle {
namespace {

constexpr double kLate = std::numeric_limits<double>::infinity();

/// How long a transfer takes between two of three nodes.
using Times = std::vector<std::vector<double>>;

double longest(const Times& times) {
  double most = 0.0;
  for (const auto& row : times) most = std::max(most, *std::ranges::max_element(row));
  return most;
}

double planned(const std::vector<Step>& steps, const Prices& prices, const Times& times,
               bool uniform) {
  KeyCost key(
      static_cast<NodeId>(times.size()), [&](NodeId from, NodeId to) { return times[from][to]; },
      uniform);
  key.begin(prices, longest(times));
  for (const Step& step : steps) key.take(step);
  return key.cheapest();
}

/// Tries every way, following the rules of src/oracle/README.md one by one.
class EveryWay {
 public:
  EveryWay(const std::vector<Step>& steps, const Prices& prices, const Times& times)
      : steps_(steps), prices_(prices), times_(times) {}

  double cheapest() const {
    double least = after(0, kNowhere, kNowhere, 0.0);  // at a node that never accesses it
    for (NodeId first = 0; first < times_.size(); ++first) {
      least = std::min(least, after(0, static_cast<int>(first), kNowhere, 0.0));
    }
    return least;
  }

 private:
  static constexpr int kNowhere = -1;

  /// Of the steps from `i` on. The key is at `owner`; or it has left `from` at `left`; or, when
  /// both are kNowhere, it is where nobody accesses it.
  double after(std::size_t i, int owner, int from, double left) const {
    if (i == steps_.size()) return 0.0;
    const Step& step = steps_[i];
    const int node = static_cast<int>(step.node);
    double least = kLate;
    if (owner == node) {
      least = step.here + after_access(i, node);
    } else {
      least = elsewhere(i) + after(i + 1, owner, from, left);
    }
    if (owner == kNowhere && from != kNowhere && from != node) {
      const double wait = step.write ? 0.0 : left + time(from, node) - step.waits_from;
      least = std::min(
          least, prices_.move + std::max(step.here, step.wait * wait) + after_access(i, node));
    }
    return least;
  }

  /// The owner has accessed it: it stays, or leaves for wherever it is needed next.
  double after_access(std::size_t i, int node) const {
    return std::min(after(i + 1, node, kNowhere, 0.0),
                    after(i + 1, kNowhere, node, steps_[i].executed));
  }

  double elsewhere(std::size_t i) const {
    const Step& step = steps_[i];
    if (step.write) return step.remote;
    // The last write by another node, and whether this node has read since.
    for (std::size_t before = i; before-- > 0;) {
      const Step& other = steps_[before];
      if (other.node == step.node && !other.write) return step.here;
      if (other.node == step.node || !other.write) continue;
      const double arrives = other.executed + times_[other.node][step.node];
      return std::min(step.remote,
                      prices_.copy + std::max(step.here, step.wait * (arrives - step.waits_from)));
    }
    return step.here;  // a copy from before
  }

  double time(int from, int to) const {
    return times_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  const std::vector<Step>& steps_;
  const Prices& prices_;
  const Times& times_;
};

std::vector<Step> random_steps(Random& random, std::size_t count, double gap) {
  std::vector<Step> steps;
  double now = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    now += gap * random.uniform();
    Step step{.node = static_cast<NodeId>(random.below(3)),
              .write = random.below(2) == 0,
              .executed = now,
              .waits_from = now + 0.2 * random.uniform()};
    step.here = 0.1 * random.uniform();
    step.wait = random.uniform();
    step.remote = step.here + (step.write ? 0.1 : 2.0) * random.uniform();
    steps.push_back(step);
  }
  return steps;
}

Times random_times(Random& random, bool uniform) {
  Times times(3, std::vector<double>(3, 1.0));
  if (uniform) return times;
  for (auto& row : times) {
    for (double& time : row) time = 0.5 + random.uniform();
  }
  return times;
}

TEST(TheCheapestWayToManageAKey, IsTheBestOfAllWays) {
  Random random(1, "traces");
  for (int i = 0; i < 3000; ++i) {
    const bool uniform = random.below(2) == 0;
    const Times times = random_times(random, uniform);
    const Prices prices{.copy = 0.3 * random.uniform(), .move = 0.5 * random.uniform()};
    const std::vector<Step> steps =
        random_steps(random, 1 + random.below(12), i % 3 == 0 ? 3.0 : 0.5);
    EXPECT_NEAR(planned(steps, prices, times, uniform), EveryWay(steps, prices, times).cheapest(),
                1e-9)
        << "trace " << i << ", " << steps.size() << " steps";
  }
}

const Times kOne(3, std::vector<double>(3, 1.0));  // second for every transfer

Step read_at(NodeId node, double time) {
  return {
      .node = node, .executed = time, .waits_from = time, .here = 0.0, .remote = 2.0, .wait = 1.0};
}

Step write_at(NodeId node, double time) {
  Step step = read_at(node, time);
  step.write = true;
  step.remote = 0.25;
  return step;
}

TEST(TheCheapestWayToManageAKey, HidesAMoveInAGapThatIsLongEnough) {
  EXPECT_EQ(planned({write_at(0, 0), read_at(1, 5)}, {}, kOne, true), 0.0);
  EXPECT_EQ(planned({write_at(0, 0), read_at(1, 0.25)}, {}, kOne, true), 0.25)
      << "the key is at node 1 from the beginning, and the write goes there";
  EXPECT_EQ(
      planned({write_at(0, 0), read_at(0, 0), read_at(1, 0.25), write_at(1, 0.25)}, {}, kOne, true),
      0.25);
}

TEST(TheCheapestWayToManageAKey, WaitsWhereBothReadWhatBothWrite) {
  std::vector<Step> steps;
  for (int i = 0; i < 10; ++i) {
    steps.push_back(read_at(static_cast<NodeId>(i % 2), 0.5 * i));
    steps.push_back(write_at(static_cast<NodeId>(i % 2), 0.5 * i));
  }
  EXPECT_GT(planned(steps, {}, kOne, true), 1.0);
  for (Step& step : steps) step.executed = step.waits_from = 10.0 * step.executed;
  EXPECT_EQ(planned(steps, {}, kOne, true), 0.0) << "there is time enough";
}

TEST(TheCheapestWayToManageAKey, CopiesForNothingWhatIsOnlyRead) {
  EXPECT_EQ(planned({read_at(0, 0), read_at(1, 0), read_at(2, 0), read_at(0, 0)},
                    {.copy = 1, .move = 1}, kOne, true),
            0.0);
}

TEST(TheCheapestWayToManageAKey, StartsAnewWithEachKey) {
  KeyCost key(
      3, [](NodeId, NodeId) { return 1.0; }, true);
  for (int i = 0; i < 2; ++i) {
    key.begin({.copy = 0.5, .move = 0.5}, 1.0);
    key.take(write_at(0, 0));
    key.take(read_at(0, 0));
    key.take(read_at(1, 9));
    EXPECT_EQ(key.cheapest(), 0.25) << "written remotely, or copied once";
  }
}

}  // namespace
}  // namespace pslab::oracle
