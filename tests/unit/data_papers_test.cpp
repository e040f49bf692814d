// The files of the papers' large experiments, as small ones of the same layout.
#include <gtest/gtest.h>

#include <string>

#include "base/text.hpp"
#include "data/info.hpp"
#include "data/ratings_reader.hpp"
#include "data/triples_reader.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

// LibKGE's folder: besides what is needed there are other files, and ids of entities that no triple
// of the training part has.
TEST(FilesOfThePapers, Wikidata5M) {
  const TempDirectory folder;
  folder.write("entity_ids.del", "0\tQ4115189\n1\tQ42\n2\tQ5\n3\tQ1000000\n4\tQ64\n");
  folder.write("relation_ids.del", "0\tP31\n1\tP19\n");
  folder.write("entity_strings.del", "0\tWikidata Sandbox\n1\tDouglas Adams\n");
  folder.write("dataset.yaml", "dataset:\n  name: wikidata5m\n");
  folder.write("train.del", "1\t0\t2\n0\t0\t2\n1\t1\t4\n");
  folder.write("valid.del", "0\t1\t4\n");
  folder.write("test.del", "3\t0\t2\n");
  const Triples triples = read_triples(folder.path());
  EXPECT_EQ(triples.entities, 5U);
  EXPECT_EQ(triples.relations, 2U);
  EXPECT_EQ(triples.train.size(), 3U);
  EXPECT_EQ(triples.valid.size(), 1U);
  EXPECT_EQ(triples.test, (std::vector<Triple>{{3, 0, 2}}));
  EXPECT_EQ(info(folder.path()).description.value().kind, "graph");
}

// A folder of shards, tokenized, a sentence a line.
TEST(FilesOfThePapers, OneBillionWords) {
  const TempDirectory folder;
  for (int shard = 1; shard <= 5; ++shard) {
    folder.write("news.en-0000" + std::to_string(shard) + "-of-00100",
                 "The U.S. Centers \" said \" it .\nThe rest is for \xE2\x82\xAC 5 .\n");
  }
  const Description text = info(folder.path()).description.value();
  EXPECT_EQ(text.kind, "text");
  EXPECT_TRUE(has(join(data::text_of(text), "\n"),
                  {"size: 75 words of 12 different ones in 10 sentences"}));
}

// MatrixMarket, ids from 1, the parts in two files.
TEST(FilesOfThePapers, ZipfMatrix) {
  const TempDirectory folder;
  RatingsSource source;
  source.train = folder.write("train.mmc",
                              "%%MatrixMarket matrix coordinate real general\n%\n100000 10000 "
                              "3\n1 1 0.25\n100000 1 -1.5\n77 10000 2e-3\n");
  source.test = folder.write("test.mmc",
                             "%%MatrixMarket matrix coordinate real general\n100000 10000 "
                             "1\n77 1 0.5\n");
  const Ratings ratings = read_ratings(source);
  EXPECT_EQ(ratings.rows, 100'000U);
  EXPECT_EQ(ratings.cols, 10'000U);
  ASSERT_EQ(ratings.train.size(), 3U);
  EXPECT_EQ(ratings.train[1].row, 99'999U);
  EXPECT_EQ(ratings.train[2].value, 0.002F);
  EXPECT_EQ(ratings.test.size(), 1U);
  EXPECT_EQ(ratings.test_unseen, 0U);
}

}  // namespace
}  // namespace pslab::data
