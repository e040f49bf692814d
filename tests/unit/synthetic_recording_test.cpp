// Traces that are whole but cannot be replayed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "tests/support/temp_directory.hpp"
#include "workloads/synthetic/recording.hpp"

namespace pslab::synthetic {
namespace {

using trace::Kind;
using trace::Op;

const std::vector<Key> kKeys = {1, 2};

std::string operations(const std::vector<Op>& ops) {
  trace::OpWriter writer;
  for (const Op& op : ops) writer.write(op);
  return writer.bytes();
}

const Op kBegin = {.kind = Kind::kEpoch, .number = 1};
const Op kEnd = {.kind = Kind::kEnd};

class ARecording : public testing::Test {
 protected:
  /// Of one node with a worker for each of these.
  void write(const std::vector<std::vector<Op>>& workers, std::uint64_t epochs = 1) const {
    trace::Trace trace{.nodes = 1,
                       .workers_per_node = static_cast<std::uint32_t>(workers.size()),
                       .epochs = epochs,
                       .groups = {{"keys", 3, 4}},
                       .workers = {}};
    for (const std::vector<Op>& ops : workers) trace.workers.push_back(operations(ops));
    std::ofstream(file_, std::ios::binary) << trace::to_bytes(trace);
  }

  std::string refusal(const std::vector<std::vector<Op>>& workers, std::uint64_t epochs = 1) const {
    write(workers, epochs);
    try {
      const Recording recording(file_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  const test::TempDirectory directory_;
  const std::string file_ = directory_.path() + "/recording.bin";
};

TEST_F(ARecording, IsAcceptedWhenItCanBeReplayed) {
  EXPECT_EQ(
      refusal({{kBegin, {.kind = Kind::kPullAsync, .keys = kKeys}, {.kind = Kind::kWait}, kEnd}}),
      "accepted");
}

TEST_F(ARecording, IsRefusedWhenAWorkerWaitsForNothingOrNotForAll) {
  EXPECT_THAT(refusal({{kBegin, {.kind = Kind::kWait}, kEnd}}),
              testing::HasSubstr("the trace is damaged: it waits for nothing"));
  EXPECT_THAT(refusal({{kBegin,
                        {.kind = Kind::kPullAsync, .keys = kKeys},
                        {.kind = Kind::kWait, .number = 1},
                        kEnd}}),
              testing::HasSubstr("it waits for nothing"));
  EXPECT_THAT(refusal({{kBegin, {.kind = Kind::kPushAsync, .keys = kKeys}, kEnd}}),
              testing::HasSubstr("it has an operation that nobody waits for"));
}

TEST_F(ARecording, IsRefusedWhenWorkersWouldWaitForEachOtherForEver) {
  EXPECT_THAT(refusal({{kBegin, {.kind = Kind::kBarrier}, kEnd}, {kBegin, kEnd}}),
              testing::HasSubstr("worker 1 has other epochs or barriers than worker 0"));
  EXPECT_THAT(refusal({{kBegin, kEnd}}, 2), testing::HasSubstr("worker 0 has other epochs"));
}

TEST_F(ARecording, IsRefusedWhenEpochsDoNotFollowEachOther) {
  EXPECT_THAT(refusal({{kBegin, kBegin, kEnd}}), testing::HasSubstr("an epoch within another"));
  EXPECT_THAT(refusal({{kBegin, kEnd, {.kind = Kind::kClock}}}),
              testing::HasSubstr("an operation outside of all"));
  EXPECT_THAT(refusal({{kBegin}}), testing::HasSubstr("it ends within an epoch"));
  EXPECT_THAT(refusal({{}}, 0), testing::HasSubstr("the trace has no epoch"));
}

TEST_F(ARecording, IsRefusedWithArithmeticThatNoComputerDoes) {
  EXPECT_THAT(refusal({{kBegin, {.kind = Kind::kCompute, .flops = -1.0}, kEnd}}),
              testing::HasSubstr("an impossible amount of arithmetic"));
}

TEST_F(ARecording, IsRefusedWithClocksThatNoWorkerReaches) {
  const Op intent{.kind = Kind::kIntent, .number = std::int64_t{1} << 61, .keys = kKeys};
  EXPECT_THAT(refusal({{kBegin, intent, kEnd}}), testing::HasSubstr("at an impossible clock"));
}

TEST_F(ARecording, GivesEachEpochAndBeginsAgainAfterTheLast) {
  write({{kBegin,
          {.kind = Kind::kPull, .keys = kKeys},
          kEnd,
          {.kind = Kind::kEpoch, .number = 2},
          {.kind = Kind::kPush, .keys = kKeys},
          kEnd}},
        2);
  const Recording recording(file_);
  EXPECT_EQ(recording.pulled(), 2U);
  EXPECT_EQ(recording.pushed(), 2U);
  for (int epoch = 1; epoch <= 4; ++epoch) {
    trace::OpReader ops = recording.epoch(0, epoch);
    Op op;
    ASSERT_TRUE(ops.next(op) && ops.next(op));
    EXPECT_EQ(op.kind, epoch % 2 == 1 ? Kind::kPull : Kind::kPush);
  }
}

}  // namespace
}  // namespace pslab::synthetic
