// Fetching data sets: with stand-ins for apt-get and dpkg-deb, so that no network is used.
#include "data/fetch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/text.hpp"
#include "data/info.hpp"
#include "data/program.hpp"
#include "data/sha256.hpp"
#include "data_environment.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kContents =
    "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n";

/// A project with one data set, whose package and converter are a few lines of shell.
class FetchTest : public testing::Test {
 protected:
  FetchTest()
      : environment_({{"PSLAB_DATA", temp_.path() + "/cache"},
                      {"PATH", temp_.path() + "/bin:" + getenv("PATH")}}) {
    entry_.name = "tiny";
    entry_.packages = {"tiny-package"};
    entry_.converter = "tiny.py";
    for (const char* name : {"train.mmc", "test.mmc"}) {
      entry_.files.push_back({name, sha256(kContents)});
    }
    temp_.write("src/data/fetch/tiny.py", R"(
import shutil, sys
assert sys.argv[1] == "tiny"
for name in ("train.mmc", "test.mmc"):
    shutil.copy(sys.argv[2] + "/data", sys.argv[3] + "/" + name)
)");
    program("apt-get", "test \"$1 $2\" = 'download tiny-package' && echo x > tiny.deb");
    program("dpkg-deb", "mkdir \"$3\" && printf '" + escaped(kContents) + "' > \"$3/data\"");
  }

  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) result += c == '%' ? "%%" : std::string(1, c);
    return result;
  }

  /// Puts a shell script first in PATH; each call is noted in `calls`.
  void program(const std::string& name, const std::string& script) {
    const std::string path = temp_.write(
        "bin/" + name, "#!/bin/sh\necho " + name + " $1 >> " + temp_.path() + "/calls\n" + script);
    fs::permissions(path, fs::perms::owner_all);
  }

  std::string calls() const {
    std::ifstream file(temp_.path() + "/calls");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string run() {
    return fetch(entry_, temp_.path(), [this](const std::string& text) { said_.push_back(text); });
  }

  std::string failure() {
    const std::string text = refusal([this] { run(); });
    EXPECT_TRUE(has(text, {"tiny", "configs/smoke/"}));
    EXPECT_FALSE(fs::exists(temp_.path() + "/cache/tiny")) << "a failed fetch must leave no set";
    EXPECT_FALSE(fs::exists(temp_.path() + "/cache/.fetching-tiny"));
    return text;
  }

  TempDirectory temp_;
  Environment environment_;
  CatalogEntry entry_;
  std::vector<std::string> said_;
};

TEST_F(FetchTest, PutsTheConvertedSetIntoTheCacheAndTellsSo) {
  const std::string directory = run();
  EXPECT_EQ(directory, temp_.path() + "/cache/tiny");
  EXPECT_EQ(sha256_of_file(directory + "/train.mmc"), sha256(kContents));
  EXPECT_TRUE(has(join(said_, "\n"), {"downloading package tiny-package", "fetched tiny into"}));
  EXPECT_EQ(read_ratings(ratings_source(entry_)).train.size(), 1U);
}

TEST_F(FetchTest, DoesNothingTheSecondTime) {
  run();
  const std::string before = calls();
  said_.clear();
  run();
  EXPECT_EQ(calls(), before);
  EXPECT_TRUE(said_.empty());
}

TEST_F(FetchTest, RepairsADamagedSet) {
  run();
  temp_.write("cache/tiny/train.mmc", "changed");
  temp_.write("cache/.fetching-tiny/left-over", "of a fetch that was killed");
  run();
  EXPECT_EQ(dataset_flaw(entry_), "");
  EXPECT_TRUE(has(join(said_, "\n"), {"other contents than it should", "again"}));
}

TEST_F(FetchTest, UpdatesTheListOfPackagesOnceIfThePackageIsUnknown) {
  program("apt-get", "if [ $1 = update ]; then touch " + temp_.path() +
                         "/updated; exit 0; fi\n"
                         "if [ -e " +
                         temp_.path() +
                         "/updated ]; then echo x > tiny.deb; exit 0; fi\n"
                         "echo 'E: Unable to locate package tiny-package'; exit 100");
  run();
  EXPECT_EQ(calls(), "apt-get download\napt-get update\napt-get download\ndpkg-deb -x\n");
}

TEST_F(FetchTest, SaysThatThePackageDoesNotExist) {
  program("apt-get",
          "[ $1 = update ] && exit 0; echo 'E: Unable to locate package tiny-package'; exit 100");
  EXPECT_TRUE(has(failure(), {"downloading with apt-get", "Unable to locate package tiny-package",
                              "package sources offer tiny-package"}));
}

TEST_F(FetchTest, SaysThatThereIsNoNetwork) {
  program("apt-get", "echo 'E: Failed to fetch: Temporary failure resolving'; exit 100");
  EXPECT_TRUE(has(failure(), {"Temporary failure resolving", "Check the network connection"}));
  program("apt-get",
          "[ $1 = update ] && { echo 'E: not root'; exit 100; }\n"
          "echo 'E: Unable to locate package x'; exit 100");
  EXPECT_TRUE(has(failure(), {"apt-get update", "not root", "`sudo apt-get update`"}));
}

TEST_F(FetchTest, SaysThatAProgramIsMissing) {
  const Environment environment({{"PATH", temp_.path() + "/nothing"}});
  EXPECT_TRUE(has(failure(), {"apt-get", "no such program", "Debian"}));
}

TEST_F(FetchTest, SaysThatTheDiskIsFull) {
  program("dpkg-deb", "echo 'dpkg-deb: cannot write: No space left on device'; exit 2");
  EXPECT_TRUE(
      has(failure(), {"dpkg-deb", "No space left on device", "Free some space", "PSLAB_DATA"}));
}

TEST_F(FetchTest, SaysThatItWasInterrupted) {
  program("apt-get", "kill -INT $$");
  EXPECT_TRUE(has(failure(), {"ended by signal 2", "again"}));
}

TEST_F(FetchTest, RefusesASetWithOtherContentsThanTheCatalogSays) {
  entry_.files[1].sha256 = sha256("other");
  EXPECT_TRUE(
      has(failure(), {"checking test.mmc", sha256("other"), "tiny-package", "a file of your own"}));
}

TEST_F(FetchTest, PassesTheConvertersReasonOn) {
  temp_.write("src/data/fetch/tiny.py", "import sys\nsys.exit('cannot read the package')\n");
  EXPECT_TRUE(has(failure(), {"python3", "cannot read the package"}));
  fs::remove(temp_.path() + "/src/data/fetch/tiny.py");
  EXPECT_TRUE(has(failure(), {"converter", "tiny.py is missing"}));
}

TEST_F(FetchTest, SaysThatTheCacheCannotBeWritten) {
  temp_.write("file", "");
  const Environment environment({{"PSLAB_DATA", temp_.path() + "/file/cache"}});
  EXPECT_TRUE(has(refusal([this] { run(); }),
                  {temp_.path() + "/file/cache", "Not a directory", "PSLAB_DATA"}));
}

TEST_F(FetchTest, UnpacksSeveralPackagesOfBothKindsAndTakesListsOfPackages) {
  entry_.packages = {"a", "b"};
  entry_.npm_packages = {"corpus@1.2.3"};
  entry_.lists = {"Packages", "Translations"};
  program("apt-get", R"(case "$*" in
*indextargets*) for list in Packages Translations; do
  echo "$list contrib stone /nowhere"
  echo "$list main stone-updates $PWD/old"
  echo "$list main stone $PWD/$list.list"; done ;;
*update*) echo old > old; echo of packages > Packages.list; echo of descriptions > Translations.list ;;
download*) touch a.deb b.deb ;;
esac)");
  program("dpkg-deb", "mkdir -p \"$3\" && echo \"$(basename $2)\" >> \"$3/debs\"");
  program("npm",
          "[ \"$1 $2 $3\" = 'pack corpus@1.2.3 --pack-destination' ] && echo x > \"$4/c.tgz\"");
  program("tar", "echo unpacked > \"$4/file\"");
  temp_.write("src/data/fetch/tiny.py", R"(
import pathlib, shutil, sys
root, out = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
seen = [(root / name).read_text() for name in
        ("debs", "npm/corpus/file", "lists/Packages", "lists/Translations")]
assert seen == ["a.deb\nb.deb\n", "unpacked\n", "of packages\n", "of descriptions\n"], seen
for name in ("train.mmc", "test.mmc"):
    (out / name).write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n")
)");
  run();
  EXPECT_TRUE(has(join(said_, "\n"), {"downloading packages a, b, corpus@1.2.3 and lists"}));
}

TEST_F(FetchTest, SaysThatNpmFailed) {
  entry_.npm_packages = {"corpus@1.2.3"};
  program("npm", "echo 'npm ERR! 404 not found'; exit 1");
  EXPECT_TRUE(has(failure(), {"downloading with npm", "404 not found", "corpus@1.2.3"}));
}

/// A set whose source changes, so that the catalog has ranges instead of sums.
class ChangingSetTest : public FetchTest {
 protected:
  ChangingSetTest() {
    for (CatalogFile& file : entry_.files) file.sha256.clear();
    entry_.counts_between = {{"cells", 1, 10}};
    write_converter("cells\\t7\\n");
  }
  void write_converter(const std::string& counts) {
    temp_.write(
        "src/data/fetch/tiny.py",
        "import sys\n"
        "for name in ('train.mmc', 'test.mmc'): open(sys.argv[3] + '/' + name, 'w').write('x')\n"
        "open(sys.argv[3] + '/counts.tsv', 'w').write('" +
            counts + "')\n");
  }
};

TEST_F(ChangingSetTest, IsTakenIfItsCountsAreInTheirRangesAndThenMustNotChange) {
  const std::string directory = run();
  EXPECT_EQ(dataset_flaw(entry_), "");
  temp_.write("cache/tiny/train.mmc", "y");
  EXPECT_TRUE(has(dataset_flaw(entry_), {"train.mmc has other contents", sha256("x")}));
  fs::remove(directory + "/sha256sums");
  EXPECT_TRUE(has(dataset_flaw(entry_), {"sha256sums", "train.mmc"}));
  run();
  EXPECT_EQ(dataset_flaw(entry_), "");
}

TEST_F(ChangingSetTest, IsRefusedIfItsCountsAreNot) {
  write_converter("cells\\t11\\n");
  EXPECT_TRUE(has(failure(), {"checking the counts", "11 cells, expected 1 to 10"}));
  write_converter("rows\\t1\\n");
  EXPECT_TRUE(has(failure(), {"checking the counts", "counts.tsv has no cells"}));
}

TEST_F(FetchTest, LetsOneProcessWorkAndTheOthersWait) {
  program("apt-get", "sleep 0.3; echo x > tiny.deb");
  std::vector<std::thread> threads;
  std::vector<std::string> directories(3);
  for (std::string& directory : directories) {
    threads.emplace_back([&] { directory = fetch(entry_, temp_.path(), {}); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls(), "apt-get download\ndpkg-deb -x\n") << "only one may have worked";
  EXPECT_EQ(dataset_flaw(entry_), "");
  for (const std::string& directory : directories)
    EXPECT_EQ(directory, temp_.path() + "/cache/tiny");
}

TEST(RunProgram, GivesOutputAndExitCode) {
  const TempDirectory temp;
  const ProgramResult result =
      run_program({"sh", "-c", "pwd; echo problem >&2; echo $LC_ALL; exit 3"}, temp.path(),
                  temp.path() + "/log");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, temp.path() + "\nproblem\nC\n");
  EXPECT_FALSE(result.succeeded());
  EXPECT_FALSE(run_program({"no-such-program"}, temp.path(), temp.path() + "/log").found);
}

/// Runs a Python script of the project and returns what it wrote.
std::string run_python(const TempDirectory& temp, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"python3", "-B"});
  const ProgramResult result = run_program(arguments, temp.path(), temp.path() + "/log");
  EXPECT_TRUE(result.succeeded()) << result.output;
  return result.output;
}

// The package holds the cells (user u, film 7 m, u + m / 2) for u in 1 .. 10 and m in 0 .. 9.
TEST(RatingsConverter, ReadsADataFrameOfAnRPackageAndSplitsItWithoutUnseenKeys) {
  const TempDirectory temp;
  run_python(temp, {project_root() + "/tests/data/make_r_package.py", temp.path() + "/root"});
  const auto convert = [&](const std::string& out) {
    fs::create_directory(temp.path() + "/" + out);
    run_python(temp, {project_root() + "/src/data/fetch/ratings.py", "movielens-small",
                      temp.path() + "/root", temp.path() + "/" + out});
    RatingsSource source;
    source.train = temp.path() + "/" + out + "/train.mmc";
    source.test = temp.path() + "/" + out + "/test.mmc";
    return source;
  };
  const RatingsSource source = convert("first");
  const Ratings ratings = read_ratings(source);
  EXPECT_EQ(ratings.rows, 10U);
  EXPECT_EQ(ratings.cols, 10U);
  EXPECT_EQ(ratings.train.size(), 90U);
  EXPECT_EQ(ratings.test.size(), 10U);
  EXPECT_EQ(ratings.test_unseen, 0U);
  EXPECT_EQ(ratings.leaked, 0U);
  double sum = 0;
  for (const auto* cells : {&ratings.train, &ratings.test}) {
    for (const Cell& cell : *cells) sum += double{cell.value};
  }
  EXPECT_EQ(sum, 10 * 55 + 10 * 45 * 0.5);
  EXPECT_EQ(sha256_of_file(convert("again").train), sha256_of_file(source.train));
}

// Needs a network and a Debian: run with PSLAB_TEST_NETWORK=1.
TEST(FetchFromDebian, GivesTheSetsOfTheCatalog) {
  if (getenv("PSLAB_TEST_NETWORK") == nullptr) GTEST_SKIP() << "PSLAB_TEST_NETWORK is not set";
  const TempDirectory cache;
  const Environment environment({{"PSLAB_DATA", cache.path()}});
  for (const CatalogEntry& entry : catalog()) {
    fetch(entry, project_root(), [](const std::string& text) { std::cout << text << "\n"; });
    std::cout << join(info(entry.name).lines, "\n") << "\n";
  }
  const Ratings ratings = read_ratings(ratings_source(find_dataset("movielens-small")));
  EXPECT_EQ(ratings.rows, 671U);
  EXPECT_EQ(ratings.cols, 9066U);
  EXPECT_EQ(ratings.train.size(), 90'004U);
  EXPECT_EQ(ratings.test.size(), 10'000U);
  EXPECT_EQ(ratings.test_unseen, 0U);
}

}  // namespace
}  // namespace pslab::data
