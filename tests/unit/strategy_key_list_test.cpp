#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "strategies/options/key_list.hpp"
#include "tests/unit/data_test_files.hpp"

namespace pslab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class AKeyList : public testing::Test {
 protected:
  std::vector<Key> read(const std::string& text) const {
    return read_key_list(directory_.write("list.txt", text), keys_);
  }
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      const std::string what = error.what();
      const std::string path = directory_.path() + "/list.txt";
      return what.starts_with(path) ? "FILE" + what.substr(path.size()) : what;
    }
    return "no error";
  }

  data::TempDirectory directory_;
  KeySpace keys_{{{"rows", 10, 2}, {"columns", 5, 3}}};
};

TEST_F(AKeyList, NamesKeysByNumberOrByGroupAndIndex) {
  EXPECT_THAT(read("12\n0\ncolumns:0\nrows:9\n"), ElementsAre(12, 0, 10, 9));
}

TEST_F(AKeyList, MayHaveCommentsBlankLinesAndNoLastLineEnd) {
  EXPECT_THAT(read("# hot keys\n\n 3 # the first\r\n\t4"), ElementsAre(3, 4));
}

TEST_F(AKeyList, NamesAtLeastOneKey) {
  for (const char* text : {"", "# none\n\n"}) {
    EXPECT_THAT(refusal(text), testing::EndsWith("set strategy.replicated_keys: 0"));
  }
}

TEST_F(AKeyList, RefusesWhatIsNoKeyWithItsLine) {
  EXPECT_EQ(refusal("1\n\nhot\n"),
            "FILE:3: 'hot' is not a key; write its number (below 15), or GROUP:INDEX, such as "
            "rows:0");
  for (const char* text : {"-1", "1 2", "1.0", "rows:", "rows:x", "99999999999999999999"}) {
    EXPECT_THAT(refusal(text), testing::StartsWith("FILE:1: '" + std::string(text) + "' is not"));
  }
}

TEST_F(AKeyList, RefusesKeysThatTheTaskDoesNotHave) {
  EXPECT_EQ(refusal("14\n15"), "FILE:2: there is no key 15; the task has 15 keys, numbered from 0");
  EXPECT_EQ(refusal("columns:5"),
            "FILE:1: there is no key columns:5; the group has 5 keys, numbered from 0");
  EXPECT_EQ(refusal("column:1"),
            "FILE:1: the task has no group of keys 'column'. Did you mean 'columns'? Its groups: "
            "rows, columns");
}

TEST_F(AKeyList, RefusesAKeyThatIsListedTwice) {
  EXPECT_EQ(refusal("1\n10\ncolumns:0\n"), "FILE:3: key columns:0 is in line 2 already");
}

TEST_F(AKeyList, MustBeAFileThatCanBeRead) {
  for (const std::string path : {"/no/such/file", "/tmp"}) {
    try {
      read_key_list(path, keys_);
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("strategy.key_list: cannot "));
    }
  }
}

}  // namespace
}  // namespace pslab
