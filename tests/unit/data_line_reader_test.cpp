// Lines of plain and gzip files, and files that cannot be read.
#include "data/line_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.emplace_back(line);
  return lines;
}

const std::vector<std::string> kPlain = {"0\t0\t1.5", "0\t1\t-2", "1\t0\t3e-1"};

TEST(LineReader, AcceptsCrLfByteOrderMarkAndNoLastLineEnd) {
  for (const char* name :
       {"plain.tsv", "crlf.tsv", "byte_order_mark.tsv", "no_last_line_end.tsv"}) {
    EXPECT_EQ(lines_of(ratings_file(name)), kPlain) << name;
  }
}

TEST(LineReader, ReadsGzipOfOneAndOfSeveralMembers) {
  EXPECT_EQ(lines_of(ratings_file("plain.tsv.gz")), kPlain);
  EXPECT_EQ(lines_of(ratings_file("two_members.tsv.gz")), kPlain);
}

TEST(LineReader, NumbersLinesFromOneAndCountsBlankOnes) {
  const TempDirectory temp;
  LineReader reader(temp.write("a", "x\n\ny"));
  std::string_view line;
  while (reader.next(line)) {
  }
  EXPECT_EQ(reader.number(), 3U);
  EXPECT_EQ(reader.place(), temp.path() + "/a:3");
}

TEST(LineReader, HasNoLimitOnTheLengthOfALine) {
  const TempDirectory temp;
  const std::string large(3 << 20, 'x');
  const std::vector<std::string> expected = {"first", large, "last"};
  EXPECT_EQ(lines_of(temp.write("a", "first\n" + large + "\nlast\n")), expected);
}

TEST(LineReader, ReadsGzipThatIsLargerThanItsBuffers) {
  const TempDirectory temp;
  const std::string path = temp.path() + "/a.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  for (int i = 0; i < 200'000; ++i) gzprintf(file, "line %d\n", i);
  gzclose(file);
  const std::vector<std::string> lines = lines_of(path);
  ASSERT_EQ(lines.size(), 200'000U);
  EXPECT_EQ(lines[123'456], "line 123456");
}

TEST(LineReader, RefusesWhatIsNotThereWithTheSystemsReason) {
  EXPECT_TRUE(has(refusal([] { lines_of("/nowhere/x.tsv"); }),
                  {"/nowhere/x.tsv", "No such file or directory"}));
  EXPECT_TRUE(
      has(refusal([] { lines_of(testing::TempDir()); }), {"is a directory; name the file in it"}));
  EXPECT_TRUE(has(refusal([] { lines_of(ratings_file("empty.tsv")); }), {"empty.tsv", "is empty"}));
  EXPECT_TRUE(has(refusal([] { lines_of("/dev/null"); }), {"not a regular file"}));
}

TEST(LineReader, RefusesAFileWithoutPermissionWithTheSystemsReason) {
  const TempDirectory temp;
  const std::string path = temp.write("secret", "x\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool root = geteuid() == 0;  // root may read everything, so be nobody for a moment
  constexpr uid_t kNobody = 65534;
  if (root) {
    std::filesystem::permissions(temp.path(), std::filesystem::perms::all);
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string text = refusal([&] { lines_of(path); });
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_TRUE(has(text, {path, "Permission denied; make it readable for you"}));
}

TEST(LineReader, RefusesTruncatedDamagedAndContinuedGzip) {
  EXPECT_TRUE(has(refusal([] { lines_of(ratings_file("truncated.tsv.gz")); }), {"truncated"}));
  EXPECT_TRUE(has(refusal([] { lines_of(ratings_file("damaged.tsv.gz")); }),
                  {"damaged gzip data", "check"}));
  EXPECT_TRUE(has(refusal([] { lines_of(ratings_file("garbage_after_gzip.tsv.gz")); }),
                  {":", "damaged gzip data", "in member 2"}));
}

TEST(LineReader, RefusesAFileThatChangesWhileItIsRead) {
  const TempDirectory temp;
  const std::string path = temp.write("a", "first\nsecond\n");
  LineReader reader(path);
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  std::ofstream(path, std::ios::app) << "third\n";
  const std::string text = refusal([&] {
    while (reader.next(line)) {
    }
  });
  EXPECT_TRUE(has(text, {path, "changed while it was read", "13 bytes at first, 19 bytes now"}));
}

}  // namespace
}  // namespace pslab::data
