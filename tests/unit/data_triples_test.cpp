// Knowledge graphs: files of ids and of names, what is refused, and the generator.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "config/yaml.hpp"
#include "data/triples_dataset.hpp"
#include "data/triples_reader.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

std::string all_notes(const Triples& triples) {
  std::string text;
  for (const std::string& note : triples.notes) text += note + "\n";
  return text;
}

TEST(Triples, AreReadFromFilesOfIds) {
  const TempDirectory folder;
  folder.write("train.del", "0\t1\t2\n2\t0\t0\n");
  folder.write("valid.del", "0\t0\t2\n");
  folder.write("test.del", "2\t1\t0\r\n");
  const Triples triples = read_triples(folder.path());
  EXPECT_EQ(triples.entities, 3U);
  EXPECT_EQ(triples.relations, 2U);
  EXPECT_EQ(triples.train, (std::vector<Triple>{{0, 1, 2}, {2, 0, 0}}));
  EXPECT_EQ(triples.valid, (std::vector<Triple>{{0, 0, 2}}));
  EXPECT_EQ(triples.test, (std::vector<Triple>{{2, 1, 0}}));
}

TEST(Triples, HaveAsManyIdsAsTheFilesOfIdsSay) {
  const TempDirectory folder;
  folder.write("train.del", "0\t0\t1\n");
  folder.write("entity_ids.del", "0\ta\n1\tb\n2\tc\n");
  folder.write("relation_ids.del", "0\tr\n1\tunused\n");
  const Triples triples = read_triples(folder.path());
  EXPECT_EQ(triples.entities, 3U);
  EXPECT_EQ(triples.relations, 2U);
  EXPECT_TRUE(has(all_notes(triples), {"there is no valid file", "there is no test file"}));
}

TEST(Triples, GetIdsInOrderOfAppearanceFromNames) {
  const TempDirectory folder;
  folder.write("train.txt", "rome\tin\titaly\nparis\tin\tfrance\n");
  folder.write("test.txt", "lyon\tin\tfrance\n");
  const Triples triples = read_triples(folder.path());
  EXPECT_EQ(triples.entities, 5U);
  EXPECT_EQ(triples.relations, 1U);
  EXPECT_EQ(triples.train, (std::vector<Triple>{{0, 0, 1}, {2, 0, 3}}));
  EXPECT_EQ(triples.test, (std::vector<Triple>{{4, 0, 3}}));
  EXPECT_FALSE(Seen(triples).all_of(triples.test[0]));  // lyon
  EXPECT_TRUE(Seen(triples).all_of(triples.train[0]));
}

TEST(Triples, CountDuplicatesLeaksAndBlankLines) {
  const TempDirectory folder;
  folder.write("train.del", "0\t0\t1\n\n1\t0\t0\n0\t0\t1\n");
  folder.write("test.del", "1\t0\t0\n1\t1\t0\n1\t0\t5\n");
  const Triples triples = read_triples(folder.path());
  EXPECT_EQ(triples.train, (std::vector<Triple>{{0, 0, 1}, {1, 0, 0}}));
  EXPECT_TRUE(has(all_notes(triples), {"train.del: 2 triples kept, 1 blank lines, 1 duplicates"}));
  EXPECT_EQ(triples.leaked, 1U);
}

TEST(Triples, AreReadFromGzipFiles) {
  const TempDirectory folder;
  gzFile file = gzopen((folder.path() + "/train.del.gz").c_str(), "wb");
  ASSERT_NE(file, nullptr);
  gzputs(file, "0\t0\t1\n");
  gzclose(file);
  EXPECT_EQ(read_triples(folder.path()).train, (std::vector<Triple>{{0, 0, 1}}));
}

TEST(Triples, KeepNamesWhenAsked) {
  const TempDirectory ids;
  ids.write("train.del", "0\t0\t2\n");
  ids.write("entity_ids.del", "0\tfirst\n2\tlast one\n");
  const Triples numbered = read_triples(ids.path(), Names::kKeep);
  EXPECT_EQ(numbered.entity_names, (std::vector<std::string>{"first", "", "last one"}));
  EXPECT_TRUE(numbered.relation_names.empty());
  EXPECT_TRUE(read_triples(ids.path()).entity_names.empty());

  const TempDirectory names;
  names.write("train.txt", "rome\tin\titaly\n");
  const Triples named = read_triples(names.path(), Names::kKeep);
  EXPECT_EQ(named.entity_names, (std::vector<std::string>{"rome", "italy"}));
  EXPECT_EQ(named.relation_names, (std::vector<std::string>{"in"}));
}

TEST(Triples, HaveNamesOfAnyBytes) {
  const TempDirectory folder;
  const std::string nul("n\0l", 3);
  const std::string very_long(3'000'000, 'x');
  folder.write("train.txt", "\xEF\xBB\xBF\"a\"\tis in\t\xC3\xA9\na\tis in\te\xCC\x81\r\n" + nul +
                                "\tis in\t\xFF\n" + very_long + "\tis in\ta");
  const Triples triples = read_triples(folder.path(), Names::kKeep);
  EXPECT_EQ(triples.entity_names, (std::vector<std::string>{"\"a\"", "\xC3\xA9", "a", "e\xCC\x81",
                                                            nul, "\xFF", very_long}));
  EXPECT_EQ(triples.relations, 1U);
}

TEST(Triples, CountLoopsAndBlanksAroundNames) {
  const TempDirectory folder;
  folder.write("train.txt", " a\tr\ta\na \tr\tb c\n");
  const Triples triples = read_triples(folder.path(), Names::kKeep);
  EXPECT_EQ(triples.train, (std::vector<Triple>{{0, 0, 0}, {0, 0, 1}}));
  EXPECT_TRUE(has(all_notes(triples), {"train.txt: 2 triples kept", "1 from an entity to itself",
                                       "2 names had blanks at their ends"}));
}

TEST(Triples, WarnOfAFirstLineThatMayBeAHeader) {
  const auto notes = [](const std::string& train) {
    const TempDirectory folder;
    folder.write("train.txt", train);
    return all_notes(read_triples(folder.path()));
  };
  EXPECT_TRUE(has(notes("head\trel\ttail\na\tr\tb\nb\tr\ta\n"), {"first line", "header"}));
  EXPECT_EQ(notes("head\tr\ttail\na\tr\tb\n").find("header"), std::string::npos);
  EXPECT_EQ(notes("head\trel\ttail\n").find("header"), std::string::npos);
}

TEST(Triples, AreRefusedWhenAFileIsBroken) {
  const TempDirectory folder;
  folder.write("train.del", "");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }), {"train.del"}));
  folder.write("train.del", "0\t0\t1\n");
  std::filesystem::create_directory(folder.path() + "/test.del");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }), {"test.del", "directory"}));

  const TempDirectory zipped;
  const std::string path = zipped.path() + "/train.del.gz";
  const auto append = [&](const std::string& text) {
    gzFile file = gzopen(path.c_str(), "ab");
    gzputs(file, text.c_str());
    gzclose(file);
  };
  append("0\t0\t1\n");
  append("1\t0\t0\n");  // a second member
  EXPECT_EQ(read_triples(zipped.path()).train.size(), 2U);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 6);
  EXPECT_TRUE(has(refusal([&] { read_triples(zipped.path()); }), {"train.del.gz"}));
}

TEST(Triples, AreRefusedWithFileAndLine) {
  const auto refused = [](const std::string& train) {
    const TempDirectory folder;
    folder.write("train.del", train);
    folder.write("entity_ids.del", "0\ta\n1\tb\n");
    return refusal([&] { read_triples(folder.path()); });
  };
  EXPECT_TRUE(has(refused("0\t0\t1\n0\t0\n"), {"train.del:2: 2 columns", "subject, relation"}));
  EXPECT_TRUE(has(refused("0\t0\t1\t9\n"), {"train.del:1: 4 columns"}));
  EXPECT_TRUE(has(refused("0\t\t1\n"), {"train.del:1: a column", "empty"}));
  EXPECT_TRUE(has(refused("a\t0\t1\n"), {"train.del:1: the id 'a'", ".txt"}));
  EXPECT_TRUE(has(refused("-1\t0\t1\n"), {"train.del:1: the id '-1'"}));
  EXPECT_TRUE(has(refused("0\t0\t4294967295\n"), {"train.del:1: the id '4294967295'"}));
  EXPECT_TRUE(has(refused("0\t0\t2\n"), {"train.del:1: the id 2 is not in", "entity_ids.del"}));
  EXPECT_TRUE(has(refused("\n"), {"train.del", "no triple"}));
}

TEST(Triples, AreRefusedWhenTheFolderIsNotClear) {
  EXPECT_TRUE(has(refusal([] { read_triples("/no/such"); }), {"/no/such", "no such folder"}));
  const TempDirectory folder;
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }), {"train.del", "train.txt"}));
  folder.write("train.del", "0\t0\t1\n");
  folder.write("train.txt", "a\tb\tc\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }), {"two folders"}));
}

TEST(Triples, AreRefusedWhenAFileWouldBeLeftOut) {
  const TempDirectory ids;
  ids.write("train.del", "0\t0\t1\n");
  ids.write("test.txt", "a\tr\tb\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(ids.path()); }),
                  {"test.txt would be left out", "in train.del", "same ending"}));
  ids.write("test.del", "0\t0\t1\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(ids.path()); }), {"test.txt would be left out"}));

  const TempDirectory names;
  names.write("train.txt", "a\tr\tb\n");
  names.write("entity_ids.del", "0\ta\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(names.path()); }), {"entity_ids.del would be left"}));
}

TEST(Triples, AreRefusedWhenAFileIsThereTwice) {
  for (const std::string name : {"train.txt", "valid.txt", "test.txt"}) {
    const TempDirectory folder;
    folder.write("train.txt", "a\tr\tb\n");
    folder.write(name, "a\tr\tb\n");
    folder.write(name + ".gz", "a\tr\tb\n");
    EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }),
                    {name + " and " + name + ".gz", "keep"}));
  }
}

TEST(Triples, AreRefusedForAFileInPlaceOfTheirFolder) {
  const TempDirectory folder;
  const std::string file = folder.write("train.txt", "a\tr\tb\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(file); }), {"train.txt: is a file", "the folder"}));
  EXPECT_EQ(read_triples_file(file).train, (std::vector<Triple>{{0, 0, 1}}));
}

TEST(Triples, AreRefusedWhenAnIdIsFarAboveTheirNumber) {
  const TempDirectory folder;
  folder.write("train.del", "0\t0\t1\n1\t0\t999999\n");
  EXPECT_EQ(read_triples(folder.path()).entities, 1'000'000U);
  folder.write("test.del", "0\t0\t1\n\n1000000\t0\t1\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }),
                  {"test.del:3: the entity id 1000000 is too large", "the 8 ids here",
                   "ids below 1000000 are allowed", "name the files of triples .txt"}));
  folder.write("test.del", "0\t1000000000\t1\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }),
                  {"test.del:1: the relation id 1000000000 is too large", "the 3 ids here"}));
  folder.write("test.del", "0\t0\t1\n");
  folder.write("entity_ids.del", "0\ta\n1000000000\tb\n1\tc\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path(), Names::kKeep); }),
                  {"entity_ids.del:2: the entity id 1000000000 is too large", "the 3 ids here"}));
  folder.write("entity_ids.del", "0\ta\n1\tb\n0\tc\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }),
                  {"entity_ids.del:3: the id 0 occurs a second time"}));
}

TEST(Triples, MayHaveTenTimesAsManyIdsAsTheyName) {
  const TempDirectory folder;
  std::string train;
  for (int i = 0; i < 60'000; ++i) train += fmt::format("{}\t0\t1\n", i);
  folder.write("train.del", train + "1\t0\t1200019\n");  // 120,002 ids
  EXPECT_EQ(read_triples(folder.path()).entities, 1'200'020U);
  folder.write("train.del", train + "1\t0\t1200020\n");
  EXPECT_TRUE(has(refusal([&] { read_triples(folder.path()); }),
                  {"train.del:60001:", "ids below 1200020 are allowed"}));
}

/// A dataset from YAML text.
Triples load(const std::string& yaml) {
  const config::Value value = config::parse_yaml(yaml, "test.yaml");
  config::Options options(&value, "workload.dataset");
  const TriplesDataset dataset(options);
  options.finish();
  return dataset.load("");
}

TEST(ZipfGraph, HasAsManyDistinctTriplesAsTheOptionsSay) {
  const Triples triples = load("{entities: 300, triples: 2000, classes: 10, test_share: 0.1}");
  EXPECT_EQ(triples.train.size(), 1800U);
  EXPECT_EQ(triples.test.size(), 200U);
  EXPECT_EQ(triples.leaked, 0U);
  std::set<Triple> distinct(triples.train.begin(), triples.train.end());
  distinct.insert(triples.test.begin(), triples.test.end());
  EXPECT_EQ(distinct.size(), 2000U);
}

TEST(ZipfGraph, RepeatsFromItsSeedOnly) {
  const std::string rest = ", entities: 300, triples: 1000, classes: 10}";
  EXPECT_EQ(load("{seed: 3" + rest).train, load("{seed: 3" + rest).train);
  EXPECT_NE(load("{seed: 3" + rest).train, load("{seed: 4" + rest).train);
}

TEST(ZipfGraph, LeadsFromEveryEntityAndRelationToOneClassOnly) {
  const Triples triples =
      load("{entities: 200, triples: 1500, classes: 20, relations: 3, noise: 0, test_share: 0}");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> objects;
  for (const Triple& t : triples.train) objects[{t.subject, t.relation}].insert(t.object);
  for (const auto& [query, found] : objects) EXPECT_LE(found.size(), 10U);  // 200 / 20
}

TEST(ZipfGraph, HasSkewedDegrees) {
  const Triples triples = load("{entities: 1000, triples: 5000, zipf: 1.0}");
  std::vector<int> degree(1000, 0);
  for (const Triple& t : triples.train) ++degree[t.subject];
  std::sort(degree.rbegin(), degree.rend());
  EXPECT_GT(degree[0], 20 * degree[500]);
}

TEST(TriplesDataset, RefusesWhatCannotBe) {
  const auto refused = [](const std::string& yaml) { return refusal([&] { load(yaml); }); };
  EXPECT_TRUE(has(refused("{folder: x, generator: zipf_graph}"), {"generator", "folder"}));
  EXPECT_TRUE(has(refused("{generator: none}"), {"leaves no data"}));
  EXPECT_TRUE(has(refused("{folder: x, zipf: 2}"), {"dataset.zipf", "no effect"}));
  EXPECT_TRUE(has(refused("{entities: 10, classes: 11}"), {"classes", "at most entities (10)"}));
  EXPECT_TRUE(has(refused("{entities: 100, classes: 10, triples: 9999}"), {"triples", "at most"}));
  EXPECT_TRUE(has(refused("{entities: 100, classes: 1, relations: 1, triples: 5000, zipf: 3}"),
                  {"different triples", "lower triples or zipf"}));
}

}  // namespace
}  // namespace pslab::data
