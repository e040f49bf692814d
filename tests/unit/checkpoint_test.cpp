#include "checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tests/support/temp_directory.hpp"

namespace pslab::checkpoint {
namespace {

namespace fs = std::filesystem;

const std::vector<KeyGroup> kGroups = {{"rows", 3, 2}, {"columns", 4, 5}, {"biases", 2, 1}};

/// Two nodes; each key's values are its number plus hundredths.
class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() {
    for (Key key = 0; key < keys_.size(); ++key) {
      for (std::uint32_t i = 0; i < keys_.length(key); ++i) {
        values_[key].push_back(static_cast<float>(key) + 0.01F * static_cast<float>(i));
      }
    }
  }

  void write(int epoch, int keep = 2,
             const std::vector<std::vector<Key>>& owned = {{8, 0, 5, 3}, {1, 2, 4, 6, 7}}) {
    std::uint32_t node = 0;
    for (const std::vector<Key>& list : owned) {
      std::vector<Owned> parts;
      for (const Key key : list) parts.push_back({key, values_[key].data()});
      folder_.write_part(epoch, node++, keys_, parts);
    }
    head_.epoch = epoch;
    folder_.commit(head_, keep);
  }

  std::string refusal(int epoch) const {
    try {
      const Checkpoint opened(folder_.of_epoch(epoch));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  test::TempDirectory directory_;
  Folder folder_{fs::path(directory_.path()) / "checkpoints"};
  KeySpace keys_{kGroups};
  std::vector<std::vector<float>> values_ = std::vector<std::vector<float>>(9);
  Head head_{.epoch = 0,
             .ended = true,
             .time_s = 0.5,
             .clock_s = 0.25,
             .nodes = 2,
             .workers_per_node = 3,
             .clocks = {1, 2, std::uint64_t{1} << 60},
             .workload_state = {0.5, -1e300},
             .events = {R"({"event":"epoch"})", "two"},
             .groups = kGroups,
             .config = "seed: 1\n",
             .data = "abc"};
};

TEST_F(CheckpointTest, GivesBackWhatWasWritten) {
  write(7);
  const Checkpoint read(folder_.of_epoch(7));
  EXPECT_EQ(read.head().epoch, 7);
  EXPECT_TRUE(read.head().ended);
  EXPECT_EQ(read.head().time_s, head_.time_s);
  EXPECT_EQ(read.head().clock_s, head_.clock_s);
  EXPECT_EQ(read.head().workers_per_node, 3U);
  EXPECT_EQ(read.head().clocks, head_.clocks);
  EXPECT_EQ(read.head().workload_state, head_.workload_state);
  EXPECT_EQ(read.head().events, head_.events);
  EXPECT_EQ(read.head().groups, kGroups);
  EXPECT_EQ(read.head().config, head_.config);
  EXPECT_EQ(read.head().data, head_.data);
  EXPECT_EQ(std::vector<std::uint16_t>(read.owners().begin(), read.owners().end()),
            (std::vector<std::uint16_t>{0, 1, 1, 0, 1, 0, 1, 1, 0}));
  for (Key key = 0; key < keys_.size(); ++key) {
    std::vector<float> value(keys_.length(key));
    read.read(key, value);
    EXPECT_EQ(value, values_[key]) << key;
  }
}

TEST_F(CheckpointTest, KeepsTheNewest) {
  for (const int epoch : {1, 2, 10, 9}) write(epoch, 2);
  EXPECT_EQ(folder_.epochs(), (std::vector<int>{9, 10}));
}

TEST_F(CheckpointTest, WhatWasNotFinishedIsRemovedAndIsNoCheckpoint) {
  write(1);
  folder_.write_part(2, 0, keys_, {});
  EXPECT_EQ(folder_.epochs(), std::vector<int>{1});
  folder_.clear(false);
  EXPECT_FALSE(fs::exists(folder_.of_epoch(2).string() + ".part"));
  EXPECT_EQ(folder_.epochs(), std::vector<int>{1});
  folder_.clear(true);
  EXPECT_TRUE(folder_.epochs().empty());
}

TEST_F(CheckpointTest, APartThatIsNotThereIsNotCommitted) {
  folder_.write_part(3, 0, keys_, {});
  head_.epoch = 3;
  EXPECT_THROW(folder_.commit(head_, 2), RunError);
  EXPECT_TRUE(folder_.epochs().empty());
}

TEST_F(CheckpointTest, EveryChangedByteIsNoticed) {
  write(1);
  for (const char* name : {"node-0.bin", "node-1.bin"}) {
    const fs::path file = folder_.of_epoch(1) / name;
    std::ifstream in(file, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      std::ofstream(file, std::ios::binary) << changed;
      EXPECT_NE(refusal(1).find("a damaged checkpoint: its SHA-256"), std::string::npos) << at;
    }
    std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() - 1);
    EXPECT_NE(refusal(1), "");
    std::ofstream(file, std::ios::binary) << whole;
    EXPECT_EQ(refusal(1), "");
  }
}

// Without checksums, what a part says must still be possible.
TEST_F(CheckpointTest, ImpossiblePartsAreRefused) {
  write(1);
  const fs::path file = folder_.of_epoch(1) / "node-0.bin";
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  constexpr std::size_t kHead = 24;
  for (std::size_t at = 0; at < kHead + 4 * sizeof(std::uint32_t); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    std::ofstream(file, std::ios::binary) << changed;
    EXPECT_THROW(Checkpoint(folder_.of_epoch(1), false), InputError) << at;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, size);
    EXPECT_THROW(Checkpoint(folder_.of_epoch(1), false), InputError) << size;
  }
}

TEST_F(CheckpointTest, MissingKeysAreRefused) {
  write(1, 2, {{0, 1, 2}, {3, 4, 5, 6, 7}});
  EXPECT_NE(refusal(1).find("it has 8 keys in 2 parts instead of 9 in 2"), std::string::npos);
}

TEST_F(CheckpointTest, EveryChangedDigitOfTheHeadIsNoticed) {
  write(1);
  const fs::path file = folder_.of_epoch(1) / "checkpoint.json";
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (whole[at] < '0' || whole[at] > '9') continue;
    std::string changed = whole;
    changed[at] = changed[at] == '9' ? '8' : static_cast<char>(changed[at] + 1);
    std::ofstream(file, std::ios::binary) << changed;
    EXPECT_NE(refusal(1), "") << changed.substr(0, at + 1);
  }
}

TEST_F(CheckpointTest, DamagedHeadsAreRefused) {
  write(1);
  const fs::path file = folder_.of_epoch(1) / "checkpoint.json";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "not what pslab writes"},
           {"[]", "not what pslab writes"},
           {R"({"version": 2})", "a checkpoint of version 2; this pslab reads version 1"},
           {R"({"version": 1})", "a damaged checkpoint"}}) {
    std::ofstream(file) << text;
    EXPECT_NE(refusal(1).find(message), std::string::npos) << refusal(1);
  }
  fs::remove(file);
  EXPECT_NE(refusal(1).find("it has no checkpoint.json"), std::string::npos);
}

}  // namespace
}  // namespace pslab::checkpoint
