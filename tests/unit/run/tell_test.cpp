// What the processes of a run tell, through the pipe that they share, and what is made of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "run/last_words.hpp"
#include "run/run_health.hpp"
#include "run/tell.hpp"

namespace pslab::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
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
      for (const Told& one : reader_.take(line, foreign_)) all.push_back(one);
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

/// As a launcher passes texts of two nodes on: in fragments of `size` bytes, by turns.
std::vector<std::string> passed_on(const std::string& first, const std::string& second,
                                   std::size_t size) {
  std::string stream;
  bool line_begins = true;
  const auto pass = [&](int node, const std::string& fragment) {
    const std::string tag = "[1," + std::to_string(node) + "]<stdout>:";
    for (std::size_t i = 0; i < fragment.size(); ++i) {
      if (i == 0 || line_begins) stream += tag;
      line_begins = fragment[i] == '\n';
      stream += fragment[i];
    }
  };
  for (std::size_t at = 0; at < std::max(first.size(), second.size()); at += size) {
    if (at < first.size()) pass(0, first.substr(at, size));
    if (at < second.size()) pass(1, second.substr(at, size));
  }
  std::vector<std::string> lines;
  for (std::size_t end; (end = stream.find('\n')) != std::string::npos; stream.erase(0, end + 1)) {
    lines.push_back(stream.substr(0, end));
  }
  return lines;
}

TEST_F(APipe, PutsTogetherWhatALauncherDividesAndMixes) {
  const std::string hostile = "[1,0]<stdout>: <b> \\u003c";
  teller(0).tell(Tell::kSay, std::string(900, 'a') + hostile);
  const std::string first = lines()[0] + "\nprinted\n";
  teller(7).tell(Tell::kSay, std::string(900, 'b'));
  const std::string second = lines()[0] + "\n";
  for (const std::size_t size : {1U, 7U, 100U, 511U, 4096U}) {
    foreign_.clear();
    const auto all = told(passed_on(first, second, size));
    ASSERT_EQ(all.size(), 2U);
    for (const Told& one : all) {
      const auto text = Json::parse(one.text).get<std::string>();
      EXPECT_EQ(text, one.node == 0 ? std::string(900, 'a') + hostile : std::string(900, 'b'));
    }
    std::string printed;
    for (const std::string& part : foreign_) printed += part;
    EXPECT_EQ(printed, "printed");
  }
}

TEST_F(APipe, KnowsNodesThatDoNotKnowThemselves) {
  teller(0).tell(Tell::kFailed, "no threads");
  const auto all = told({"[5,33]<stdout>:" + lines()[0]});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].node, 33U);
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
  const std::string cut = lines().front().substr(0, 3000);
  teller(12).tell_interrupted();
  const auto all = told({cut + lines().front()});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].what, Tell::kInterrupted);
  EXPECT_TRUE(Json::parse(all[0].text).is_null());
  EXPECT_THAT(foreign_, IsEmpty());
}

TEST_F(APipe, LeavesOtherLinesAlone) {
  told({"mpirun has exited", "@", "[1,x]<stdout>:", "\x02x.I\x03", "[1,2]<stdout>:printed"});
  EXPECT_THAT(foreign_,
              ElementsAre("mpirun has exited", "@", "[1,x]<stdout>:", "\x02x.I", "printed"));
}

TEST(TheHealthOfARun, NamesWhoDiedAndWhatTheOthersWaitedFor) {
  RunHealth health(3, {8.0, 60.0}, "");
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

TEST(TheHealthOfARun, NamesWhoEndedFirst) {
  RunHealth health(3, {8.0, 60.0}, "");
  health.take_print("  Process name: [[4531,1],2]");
  EXPECT_THAT(health.death(), StartsWith("node 2 ended before the run did"));
  health.interrupted();
  EXPECT_THAT(health.death(), StartsWith("node 2 was asked to end by SIGTERM"));
}

TEST(TheHealthOfARun, BlamesTheLauncherWhenNobodyElseCanHaveBeenAskedToEnd) {
  RunHealth health(3, {8.0, 60.0}, "");
  health.interrupted();
  EXPECT_THAT(health.death(), StartsWith("the launcher (mpirun) was asked to end by a signal"));
  health.take_print("It looks like MPI_INIT failed for some reason");
  EXPECT_THAT(health.death(), IsEmpty());
}

std::string last_words(const std::vector<std::string>& lines) {
  LastWords words;
  for (const std::string& line : lines) words.take(line);
  return words.text();
}

TEST(LastWordsOfARun, AreTheTextBetweenTheLinesOfDashes) {
  const std::string dashes(74, '-');
  EXPECT_EQ(last_words({dashes, "There are not enough slots", "", "  for this.", dashes, ""}),
            "There are not enough slots for this.");
  EXPECT_EQ(last_words({dashes, "cut", "off"}), "cut off");
  EXPECT_EQ(last_words({dashes, dashes}), "");
}

TEST(LastWordsOfARun, BeginWithTheFirstTextOfTheLauncher) {
  const std::string dashes(74, '-');
  EXPECT_EQ(last_words({dashes, "mmap failed", dashes, dashes, "MPI_INIT failed", dashes,
                        "[vm:1] *** An error occurred", "bye"}),
            "mmap failed ... bye");
}

TEST(LastWordsOfARun, AreNotWhatTheLauncherAlwaysSays) {
  const std::string dashes(74, '-');
  EXPECT_EQ(last_words({"terminate called", dashes, "Primary job  terminated normally, but", dashes,
                        "[vm:1] 2 more processes have sent help message x"}),
            "terminate called");
  EXPECT_EQ(last_words({dashes, "Primary job  terminated", "normally", dashes}),
            "Primary job  terminated normally");
}

TEST(TheHealthOfARun, IsBadOnlyWhenAllHaveStalled) {
  RunHealth health(2, {8.0, 5.0}, "");
  const auto beat = [](double idle) {
    return Beat{.event = "was in epoch 1", .waits = "somebody waits", .steps = 1, .idle = idle};
  };
  health.take(0, beat(6.0));
  health.take(1, beat(1.0));
  EXPECT_THAT(health.trouble(), IsEmpty());
  health.take(1, beat(7.0));
  EXPECT_THAT(health.trouble(), StartsWith("no worker went on for 5 s (real.stall_limit)"));
}

TEST(TheHealthOfARun, IsBadWhenANodeHasNotStartedLongAfterAnother) {
  RunHealth health(2, {0.05, 60.0}, "");
  const Beat joining{.event = "was joining the others", .waits = {}};
  for (int i = 0; i < 20; ++i) {
    health.take(0, joining);
    if (!health.trouble().empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_THAT(health.trouble(),
              MatchesRegex("node 1 has not started for 0 s; last, node 1 had not started. "
                           "Meanwhile node 0 was joining the others"));
}

TEST(TheHealthOfARun, IsNotBadBecauseWhoeverWatchesWasHeldUp) {
  RunHealth health(1, {0.05, 60.0}, "");
  health.take(0, {.event = "was in epoch 1", .waits = {}});
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_THAT(health.trouble(), IsEmpty());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_THAT(health.trouble(), StartsWith("node 0 has not answered"));
}

TEST(TheHealthOfARun, NeedsNoWatchingInASimulation) {
  RunHealth health(2, {0.0, 0.0}, "");
  EXPECT_THAT(health.trouble(), IsEmpty());
}

}  // namespace
}  // namespace pslab::run
