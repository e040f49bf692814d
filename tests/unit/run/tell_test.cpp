// What the processes of a run tell, through the pipe that they share, and what is made of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "run/run_health.hpp"
#include "run/tell.hpp"

namespace pslab::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class APipe : public testing::Test {
 protected:
  APipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~APipe() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Teller teller(NodeId node) const { return {ends_[1], node}; }

  /// The lines that have been written.
  std::vector<std::string> lines() {
    std::array<char, 65536> bytes{};
    const ssize_t size = ::read(ends_[0], bytes.data(), bytes.size());
    std::vector<std::string> all;
    std::string rest(bytes.data(), static_cast<std::size_t>(size));
    for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
      all.push_back(rest.substr(0, end));
    }
    EXPECT_THAT(rest, IsEmpty());
    return all;
  }
  std::vector<Told> told(const std::vector<std::string>& lines) {
    std::vector<Told> all;
    for (const std::string& line : lines) {
      bool foreign = false;
      if (const auto one = reader_.take(line, foreign)) all.push_back(*one);
      if (foreign) foreign_.push_back(line);
    }
    return all;
  }

  std::array<int, 2> ends_{};
  TellReader reader_;
  std::vector<std::string> foreign_;
};

TEST_F(APipe, PassesOnWhatIsTold) {
  teller(3).tell(Tell::kSay, "two\nlines");
  const auto all = told(lines());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].node, 3U);
  EXPECT_EQ(all[0].what, Tell::kSay);
  EXPECT_EQ(Json::parse(all[0].text).get<std::string>(), "two\nlines");
}

TEST_F(APipe, PutsLongTextsOfSeveralNodesTogether) {
  const std::string first(5000, 'a');
  const std::string second(5000, 'b');
  teller(0).tell(Tell::kSay, first);
  teller(1).tell(Tell::kSay, second);
  std::vector<std::string> mixed;
  const std::vector<std::string> written = lines();
  ASSERT_EQ(written.size(), 12U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LE(written[i].size(), 4000U) << "a pipe may divide it";
    mixed.push_back(written[i]);
    mixed.push_back(written[6 + i]);
  }
  const auto all = told(mixed);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(Json::parse(all[0].text).get<std::string>(), first);
  EXPECT_EQ(Json::parse(all[1].text).get<std::string>(), second);
}

TEST_F(APipe, KeepsWhatTwoThreadsTellApart) {
  const auto tell = [this](char letter) {
    for (int i = 0; i < 3; ++i) teller(5).tell(Tell::kSay, std::string(4000, letter));
  };
  std::thread first(tell, 'a');
  std::thread second(tell, 'b');
  first.join();
  second.join();
  const auto all = told(lines());
  ASSERT_EQ(all.size(), 6U);
  for (const Told& one : all) {
    const auto text = Json::parse(one.text).get<std::string>();
    EXPECT_EQ(text, std::string(4000, text[0]));
  }
}

TEST_F(APipe, AnInterruptionTakesThePlaceOfWhatWasBegun) {
  teller(12).tell(Tell::kSay, std::string(5000, 'a'));
  std::vector<std::string> cut = lines();
  cut.resize(3);
  teller(12).tell_interrupted();
  cut.push_back(lines().front());
  const auto all = told(cut);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].what, Tell::kInterrupted);
  EXPECT_TRUE(Json::parse(all[0].text).is_null());
}

TEST_F(APipe, LeavesOtherLinesAlone) {
  told({"mpirun has exited", "@", "@x.I", "@1?Inull", "@1"});
  EXPECT_EQ(foreign_.size(), 5U);
}

TEST(TheHealthOfARun, NamesWhoDiedAndWhatTheOthersWaitedFor) {
  RunHealth health(3, {8.0, 60.0});
  health.take(
      0, {.event = "was in epoch 2", .waits = "worker 0 waits for key 5", .steps = 1, .idle = 0.0});
  health.take(1, {.event = "was in epoch 3", .waits = "", .steps = 1, .idle = 0.0});
  EXPECT_THAT(health.death(), IsEmpty());
  health.take_print(
      "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).");
  EXPECT_THAT(health.death(), StartsWith("node 1 was killed by SIGKILL"));
  EXPECT_THAT(health.death(), HasSubstr("last, node 1 was in epoch 3"));
  EXPECT_EQ(health.with_others("It died."),
            "It died. Meanwhile node 0 was in epoch 2: worker 0 waits for key 5");
}

TEST(TheHealthOfARun, IsBadOnlyWhenAllHaveStalled) {
  RunHealth health(2, {8.0, 5.0});
  const auto beat = [](double idle) {
    return Beat{.event = "was in epoch 1", .waits = "somebody waits", .steps = 1, .idle = idle};
  };
  health.take(0, beat(6.0));
  health.take(1, beat(1.0));
  EXPECT_THAT(health.trouble(), IsEmpty());
  health.take(1, beat(7.0));
  EXPECT_THAT(health.trouble(), StartsWith("no worker went on for 5 s (real.stall_limit)"));
}

TEST(TheHealthOfARun, NeedsNoWatchingInASimulation) {
  RunHealth health(2, {0.0, 0.0});
  EXPECT_THAT(health.trouble(), IsEmpty());
}

}  // namespace
}  // namespace pslab::run
