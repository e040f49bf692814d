// A trace as a file: written, read, and refused with a reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "tests/support/temp_directory.hpp"
#include "trace/op_stream.hpp"
#include "trace/trace_file.hpp"

namespace pslab::trace {
namespace {

namespace fs = std::filesystem;

Trace small_trace() {
  OpWriter ops;
  const std::vector<Key> keys = {1, 2};
  ops.write({.kind = Kind::kEpoch, .number = 1});
  ops.write({.kind = Kind::kPull, .time_ns = 10, .keys = keys});
  ops.write({.kind = Kind::kEnd, .time_ns = 20});
  return {.nodes = 1,
          .workers_per_node = 2,
          .epochs = 1,
          .groups = {{"rows", 3, 8}, {"columns", 1, 4}},
          .workers = {ops.bytes(), ops.bytes()}};
}

std::string refusal(const std::string& bytes) {
  try {
    from_bytes(bytes, "t.bin");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ATraceFile, ReadsBackAsItWasWritten) {
  const Trace trace = small_trace();
  const Trace read = from_bytes(to_bytes(trace), "t.bin");
  EXPECT_EQ(read.nodes, 1U);
  EXPECT_EQ(read.workers_per_node, 2U);
  EXPECT_EQ(read.epochs, 1U);
  ASSERT_EQ(read.groups.size(), 2U);
  EXPECT_EQ(read.groups[1].name, "columns");
  EXPECT_EQ(read.groups[1].count, 1U);
  EXPECT_EQ(read.groups[1].length, 4U);
  EXPECT_EQ(read.workers, trace.workers);
}

TEST(ATraceFile, OfSomethingElseIsRefused) {
  EXPECT_EQ(refusal("experiment: x\n"),
            "t.bin: this is no trace: it does not begin with 'pslabtrc'. A run with "
            "metrics.record_trace: true writes one, trace.bin, into its folder");
  EXPECT_THAT(refusal(""), testing::HasSubstr("this is no trace"));
}

TEST(ATraceFile, OfAnotherVersionIsRefused) {
  std::string bytes = to_bytes(small_trace());
  bytes[8] = 2;
  EXPECT_EQ(refusal(bytes),
            "t.bin: a trace of version 2; this pslab reads version 1. Record it again");
}

TEST(ATraceFile, ThatIsCutOffIsRefused) {
  const std::string bytes = to_bytes(small_trace());
  for (std::size_t size = 8; size < bytes.size(); ++size) {
    EXPECT_THAT(refusal(bytes.substr(0, size)), testing::HasSubstr("the trace is cut off"));
  }
  EXPECT_THAT(refusal(bytes + "x"), testing::HasSubstr("the trace is damaged"));
}

TEST(ATraceFile, WithAnyOtherByteIsRefused) {
  const std::string bytes = to_bytes(small_trace());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    EXPECT_NE(refusal(damaged), "accepted") << "byte " << at;
  }
}

class ATraceInAFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "run-1");
    fs::create_directories(folder_ / "run-2");
  }
  void write(const std::string& run) const { std::ofstream(folder_ / run / kFileName) << "x"; }
  std::string found(const fs::path& path) const {
    try {
      return fs::relative(find_trace(path, "option"), folder_).string();
    } catch (const InputError& error) {
      return error.what();
    }
  }
  const test::TempDirectory directory_;
  const fs::path folder_ = directory_.path();
};

TEST_F(ATraceInAFolder, IsFoundByItsNameItsRunOrAnExperimentWithNoOther) {
  write("run-1");
  EXPECT_EQ(found(folder_ / "run-1/trace.bin"), "run-1/trace.bin");
  EXPECT_EQ(found(folder_ / "run-1"), "run-1/trace.bin");
  EXPECT_EQ(found(folder_), "run-1/trace.bin");
}

TEST_F(ATraceInAFolder, ThatIsMissingOrOneOfSeveralIsRefused) {
  EXPECT_THAT(found(folder_ / "gone"), testing::HasSubstr("option: there is no"));
  EXPECT_THAT(found(folder_), testing::HasSubstr("has a trace.bin. Run it with"));
  write("run-1");
  write("run-2");
  EXPECT_THAT(found(folder_), testing::HasSubstr("2 runs in"));
}

}  // namespace
}  // namespace pslab::trace
