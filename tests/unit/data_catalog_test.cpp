// The catalog of data sets and its cache.
#include "data/catalog.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/text.hpp"
#include "data/fetch_sources.hpp"
#include "data/info.hpp"
#include "data/sha256.hpp"
#include "data_environment.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

TEST(Sha256, GivesTheDigestsOfTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, RefusesAFileThatIsNotThere) {
  EXPECT_TRUE(has(refusal([] { sha256_of_file("/nowhere/x"); }), {"/nowhere/x", "No such file"}));
}

TEST(Catalog, DescribesEverySetCompletely) {
  for (const CatalogEntry& entry : catalog()) {
    for (const std::string& text :
         {entry.name, entry.description, entry.licence, entry.provenance, entry.counts}) {
      EXPECT_FALSE(text.empty()) << entry.name;
    }
    EXPECT_EQ(&find_dataset(entry.name), &entry);
    EXPECT_TRUE(std::filesystem::exists(project_root() + "/src/data/fetch/" + entry.converter));
    EXPECT_FALSE(sources_text(entry).empty()) << entry.name;
    for (const CatalogFile& file : entry.files) {
      // What has no sums must have counts to go by.
      EXPECT_EQ(file.sha256.size(), entry.counts_between.empty() ? 64U : 0U) << file.name;
    }
  }
}

TEST(Catalog, NamesTheNearestSetForAnUnknownOne) {
  EXPECT_EQ(refusal([] { find_dataset("instevall"); }),
            "there is no data set 'instevall'. Did you mean 'insteval'? Data sets: " +
                join(dataset_names(), ", ") + ".");
  EXPECT_EQ(dataset_names(DatasetKind::kRatings),
            (std::vector<std::string>{"cooc-dict", "gene-paper", "insteval", "movielens-small"}));
}

TEST(Catalog, KeepsSetsWhereTheEnvironmentSays) {
  const Environment environment(
      {{"PSLAB_DATA", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", "/home/someone"}});
  EXPECT_EQ(cache_directory(), "/home/someone/.cache/pslab");
  setenv("XDG_CACHE_HOME", "/var/someone", 1);
  EXPECT_EQ(cache_directory(), "/var/someone/pslab");
  setenv("PSLAB_DATA", "/data", 1);
  EXPECT_EQ(cache_directory(), "/data");
}

TEST(Catalog, AsksForADirectoryWhereTheEnvironmentSaysNothing) {
  const Environment environment({{"PSLAB_DATA", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", ""}});
  EXPECT_TRUE(has(refusal([] { cache_directory(); }), {"PSLAB_DATA"}));
}

TEST(Info, TellsLicenceAndProvenanceOfASetThatIsNotFetched) {
  const TempDirectory cache;
  const Environment environment({{"PSLAB_DATA", cache.path()}});
  EXPECT_TRUE(has(join(info("movielens-small").lines, "\n"),
                  {"licence: ", "non-commercial", "provenance: ", "r-cran-dslabs", "671 users",
                   "`pslab data fetch movielens-small`"}));
}

TEST(Info, SaysThatASetInTheCacheIsDamaged) {
  const TempDirectory cache;
  const Environment environment({{"PSLAB_DATA", cache.path()}});
  cache.write("insteval/train.mmc", "something else");
  EXPECT_TRUE(has(join(info("insteval").lines, "\n"), {"damaged", "train.mmc", "repairs it"}));
}

TEST(TopShare, CountsAtLeastOneKeyAndRoundsTheirNumber) {
  EXPECT_EQ(top_share(std::vector<double>{1, 5, 3, 1}, 0.0), 0.5);
  EXPECT_EQ(top_share(std::vector<double>{1, 5, 3, 1}, 0.5), 0.8);
  EXPECT_EQ(top_share(std::vector<double>{1, 5, 3, 1}, 1.0), 1.0);
  EXPECT_EQ(top_share(std::vector<double>{0, 0}, 0.5), 0.0);
  EXPECT_EQ(top_share(std::vector<double>{}, 0.5), 0.0);
}

}  // namespace
}  // namespace pslab::data
