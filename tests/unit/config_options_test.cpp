#include "config/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "base/error.hpp"
#include "config/yaml.hpp"

namespace pslab::config {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// Runs `read` on the options of `yaml` and gives the message of its InputError.
std::string error_of(const std::string& yaml, const std::function<void(Options&)>& read) {
  const Value config = parse_yaml(yaml, "quick.yaml");
  try {
    Options options(&config, "workload");
    read(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void read_rank(Options& o) {
  o.integer("rank", 32, 1, 100000, "", "length of a factor");
}
void read_rate(Options& o) {
  o.real("rate", 0.5, 0, 1, "1/s", "learning rate");
}
void read_bold(Options& o) {
  o.flag("bold", false, "bold driver");
}
void read_file(Options& o) {
  o.text("file", "x.tsv", "where");
}
void read_owner(Options& o) {
  o.choice("owner", "hash", {"hash", "range"}, "initial owner");
}

TEST(Options, GivesDefaultsWhenNothingIsGiven) {
  Options options(nullptr, "workload");
  EXPECT_EQ(options.integer("rank", 32, 1, 100, "", ""), 32);
  EXPECT_EQ(options.real("rate", 0.5, 0, 1, "", ""), 0.5);
  EXPECT_EQ(options.flag("bold", true, ""), true);
  EXPECT_EQ(options.text("file", "x.tsv", ""), "x.tsv");
  EXPECT_EQ(options.choice("owner", "hash", {"hash", "range"}, ""), "hash");
  EXPECT_FALSE(options.given("rank"));
  options.finish();
}

TEST(Options, TakesANullThatStandsInNoFileForNothingGiven) {
  const Value null;
  Options options(&null, "workload");
  EXPECT_EQ(options.integer("rank", 32, 1, 100, "", ""), 32);
  options.finish();
}

TEST(Options, GivesWhatTheUserWrote) {
  const Value config =
      parse_yaml("{rank: 8, rate: 0.25, bold: false, file: z, owner: range}", "quick.yaml");
  Options options(&config, "workload");
  EXPECT_EQ(options.integer("rank", 32, 1, 100, "", ""), 8);
  EXPECT_EQ(options.real("rate", 0.5, 0, 1, "", ""), 0.25);
  EXPECT_EQ(options.flag("bold", true, ""), false);
  EXPECT_EQ(options.text("file", "x.tsv", ""), "z");
  EXPECT_EQ(options.choice("owner", "hash", {"hash", "range"}, ""), "range");
  EXPECT_TRUE(options.given("rank"));
  options.finish();
}

TEST(Options, RefusesAWrongTypeWithPlaceExpectationAndValue) {
  EXPECT_EQ(error_of("\nrank: abc", read_rank),
            "quick.yaml:2: workload.rank: expected an integer in 1 .. 100000, seen the text 'abc'");
  EXPECT_EQ(error_of("rank: [1]", read_rank),
            "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen a list");
  EXPECT_EQ(error_of("rank: true", read_rank),
            "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen the flag true");
  EXPECT_EQ(error_of("rate: abc", read_rate),
            "quick.yaml:1: workload.rate: expected a real in 0 .. 1 (1/s), seen the text 'abc'");
  EXPECT_EQ(error_of("bold: 1", read_bold),
            "quick.yaml:1: workload.bold: expected true or false, seen the integer 1");
  EXPECT_EQ(error_of("file: {a: 1}", read_file),
            "quick.yaml:1: workload.file: expected a text, seen a map");
}

TEST(Options, RefusesAValueOutOfItsRange) {
  EXPECT_EQ(error_of("rank: 0", read_rank),
            "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen the integer 0");
  EXPECT_EQ(
      error_of("rank: 100001", read_rank),
      "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen the integer 100001");
  EXPECT_EQ(error_of("rate: 1.5", read_rate),
            "quick.yaml:1: workload.rate: expected a real in 0 .. 1 (1/s), seen the real 1.5");
  EXPECT_EQ(error_of("rank: 1", read_rank), "no error");
  EXPECT_EQ(error_of("rank: 100000", read_rank), "no error");
  EXPECT_EQ(error_of("rate: 1.0", read_rate), "no error");
}

TEST(Options, SaysToRemoveQuotesThatMakeAText) {
  EXPECT_EQ(error_of("rank: '5'", read_rank),
            "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen the text '5'. "
            "Remove the quotes");
  EXPECT_NE(error_of("rate: \"0.5\"", read_rate).find("Remove the quotes"), std::string::npos);
  EXPECT_NE(error_of("bold: 'true'", read_bold).find("Remove the quotes"), std::string::npos);
  EXPECT_EQ(error_of("rank: '5.5'", read_rank).find("Remove the quotes"), std::string::npos);
}

TEST(Options, SaysToPutATextThatLooksLikeANumberInQuotes) {
  EXPECT_EQ(error_of("file: 5", read_file),
            "quick.yaml:1: workload.file: expected a text, seen the integer 5. Put it in quotes");
}

TEST(Options, RefusesAnEmptyValue) {
  const std::string problem = "is empty; give a value or remove the line.";
  for (const auto& read : {read_rank, read_rate, read_bold, read_file, read_owner}) {
    const std::string error = error_of("rank:\nrate: ~\nbold: null\nfile:\nowner:\n", read);
    EXPECT_NE(error.find(problem), std::string::npos) << error;
  }
  EXPECT_EQ(error_of("dataset:\n", [](Options& o) { o.group("dataset", ""); }),
            "quick.yaml:1: workload.dataset: is empty; give a value or remove the line. "
            "Expected a map.");
}

TEST(Options, AcceptsAnIntegerWhereARealIsExpected) {
  const Value config = parse_yaml("rate: 1", "quick.yaml");
  Options options(&config, "workload");
  EXPECT_EQ(options.real("rate", 0.5, 0, 1, "", ""), 1.0);
  EXPECT_EQ(*options.resolved().find("rate"), Value(1.0));
}

TEST(Options, AcceptsAnIntegralRealWhereAnIntegerIsExpected) {
  const Value config = parse_yaml("{cells: 1e6, rows: 5.0}", "quick.yaml");
  Options options(&config, "workload");
  EXPECT_EQ(options.integer("cells", 1, 0, kNoLimit, "", ""), 1'000'000);
  EXPECT_EQ(options.integer("rows", 1, 0, kNoLimit, "", ""), 5);
  EXPECT_EQ(*options.resolved().find("cells"), Value(1'000'000));
}

TEST(Options, RefusesARealThatIsNoIntegerExactly) {
  EXPECT_NE(error_of("rank: 3.7", read_rank).find("seen the real 3.7"), std::string::npos);
  const auto read_any = [](Options& o) { o.integer("rank", 1, 0, kNoLimit, "", ""); };
  EXPECT_EQ(error_of("rank: 1e18", read_any),
            "quick.yaml:1: workload.rank: expected an integer 0 or more, seen the real 1e+18. "
            "Write all its digits, without point and exponent");
}

TEST(Options, CallsARealBeyondTheRangeOfAnIntegerOutOfRange) {
  EXPECT_EQ(error_of("rank: 1e99", read_rank),
            "quick.yaml:1: workload.rank: expected an integer in 1 .. 100000, seen the real "
            "1e+99. It is out of range");
  const auto read_any = [](Options& o) { o.integer("rank", 1, 0, kNoLimit, "", ""); };
  for (const char* yaml : {"rank: 1e19", "rank: 1e300", "rank: -1e300"}) {
    EXPECT_TRUE(error_of(yaml, read_any).ends_with("It is out of range")) << yaml;
  }
}

TEST(Options, RefusesAnUnknownChoiceAndNamesTheNearest) {
  EXPECT_EQ(error_of("owner: hsah", read_owner),
            "quick.yaml:1: workload.owner: unknown value 'hsah'. Did you mean 'hash'? "
            "Allowed: hash, range");
  EXPECT_EQ(error_of("owner: 5", read_owner),
            "quick.yaml:1: workload.owner: expected one of hash, range, seen the integer 5");
}

TEST(Options, RefusesEveryUnknownKeyAtOnce) {
  const auto read = [](Options& o) {
    o.text("name", "", "");
    read_rank(o);
    Options& dataset = o.group("dataset", "");
    dataset.integer("rows", 1, 0, 10, "", "");
    o.finish();
  };
  EXPECT_EQ(error_of("rnak: 5\nfoo: 1\ndataset:\n  row: 5\n", read),
            "quick.yaml:1: workload.rnak: unknown option. Did you mean 'rank'? "
            "Allowed here: name, rank, dataset\n"
            "quick.yaml:2: workload.foo: unknown option. Allowed here: name, rank, dataset\n"
            "quick.yaml:4: workload.dataset.row: unknown option. Did you mean 'rows'? "
            "Allowed here: rows");
  EXPECT_EQ(error_of("a: 1", [](Options& o) { o.finish(); }),
            "quick.yaml:1: workload.a: unknown option. No option is allowed here");
}

TEST(Options, SaysWhereAMisplacedKeyBelongs) {
  const auto read = [](Options& o) {
    o.group("dataset", "").integer("rows", 1, 0, 10, "", "");
    read_rank(o);
    o.finish();
  };
  EXPECT_NE(error_of("rows: 5", read).find("Did you mean 'workload.dataset.rows'?"),
            std::string::npos);
  EXPECT_NE(error_of("rwos: 5", read).find("Did you mean 'workload.dataset.rows'?"),
            std::string::npos);
  EXPECT_NE(error_of("dataset: {rnak: 5}", read).find("Did you mean 'workload.rank'?"),
            std::string::npos);
  EXPECT_NE(error_of("dataset.rows: 5", read).find("Write the parts nested"), std::string::npos);
  EXPECT_NE(error_of("{rank:5}", read).find("Put a space after the colon"), std::string::npos);
}

TEST(Options, RefusesAScalarWhereAMapIsExpected) {
  EXPECT_EQ(error_of("dataset: 5", [](Options& o) { o.group("dataset", ""); }),
            "quick.yaml:1: workload.dataset: expected a map of options, seen the integer 5");
  EXPECT_EQ(error_of("dataset:\n  rows:5", [](Options& o) { o.group("dataset", ""); }),
            "quick.yaml:1: workload.dataset: expected a map of options, seen the text 'rows:5'. "
            "Put a space after each colon");
}

TEST(Options, ReadsAListOfMaps) {
  const Value config = parse_yaml("slow: [{node: 1}, {node: 2, factor: 3.0}]", "quick.yaml");
  Options options(&config, "cluster");
  std::vector<std::pair<std::int64_t, double>> seen;
  const auto read = [&](Options& o) {
    const std::int64_t node = o.integer("node", 0, 0, 10, "", "");
    seen.emplace_back(node, o.real("factor", 2, 1, 100, "", ""));
  };
  options.each("slow", "slow nodes", read);
  options.finish();
  EXPECT_EQ(seen, (std::vector<std::pair<std::int64_t, double>>{{1, 2.0}, {2, 3.0}}));
  EXPECT_EQ(options.resolved().flow(), "{slow: [{node: 1, factor: 2.0}, {node: 2, factor: 3.0}]}");
}

TEST(Options, NamesTheElementOfAListInErrors) {
  const auto read = [](Options& o) {
    o.each("slow", "", [](Options& e) { e.integer("node", 0, 0, 10, "", ""); });
    o.finish();
  };
  EXPECT_EQ(
      error_of("slow:\n  - node: 1\n  - node: 11\n", read),
      "quick.yaml:3: workload.slow[1].node: expected an integer in 0 .. 10, seen the integer 11");
  EXPECT_EQ(error_of("slow: [{nod: 1}]", read),
            "quick.yaml:1: workload.slow[0].nod: unknown option. Did you mean 'node'? "
            "Allowed here: node");
  EXPECT_EQ(error_of("slow: {node: 1}", read),
            "quick.yaml:1: workload.slow: expected a list of maps, seen a map. "
            "Write '- ' before each element, or put it in [ ]");
  EXPECT_NE(error_of("slow: [5]", read).find("workload.slow[0]: expected a map of options"),
            std::string::npos);
  EXPECT_NE(error_of("slow: [~]", read).find("workload.slow[0]: is empty"), std::string::npos);
}

TEST(Options, ReadsNoElementFromAnAbsentOrEmptyList) {
  for (const char* yaml : {"", "slow:", "slow: []"}) {
    const Value config = parse_yaml(yaml, "quick.yaml");
    Options options(&config, "cluster");
    options.each("slow", "", [](Options&) { FAIL() << "there is no element"; });
    options.finish();
    EXPECT_EQ(options.resolved().flow(), "{slow: []}");
  }
  Options nothing(nullptr, "cluster");
  nothing.each("slow", "", [](Options&) { FAIL() << "there is no element"; });
}

TEST(Options, ListsTheElementsOptionsInDescribeMode) {
  Options options(nullptr, "cluster", Mode::kDescribe);
  int reads = 0;
  options.group("failures", "").each("slow", "slow nodes", [&](Options& o) {
    ++reads;
    EXPECT_EQ(o.integer("node", 3, 0, 10, "", ""), 3);
  });
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(options.declarations().back().path, "cluster.failures.slow[].node");
  EXPECT_EQ(options.resolved().flow(), "{failures: {slow: []}}");
}

TEST(Options, ListsDeclarationsInOrder) {
  Options options(nullptr, "workload");
  read_rank(options);
  Options& dataset = options.group("dataset", "what to train on");
  options.choice("owner", "hash", {"hash", "range"}, "", Affects::kSpeed);
  options.real("time", 1, 0, std::numeric_limits<double>::infinity(), "s", "");
  dataset.text("file", "", "");  // declared later, listed in its group
  const std::vector<Declaration>& all = options.declarations();
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].path, "workload.rank");
  EXPECT_EQ(all[0].type, "integer");
  EXPECT_EQ(all[0].initial, "32");
  EXPECT_EQ(all[0].allowed, "1 .. 100000");
  EXPECT_EQ(all[0].help, "length of a factor");
  EXPECT_EQ(all[0].affects, Affects::kResults);
  EXPECT_EQ(all[1].type, "group");
  EXPECT_EQ(all[2].path, "workload.dataset.file");
  EXPECT_EQ(all[2].initial, "\"\"");
  EXPECT_EQ(all[3].allowed, "hash | range");
  EXPECT_EQ(all[3].affects, Affects::kSpeed);
  EXPECT_EQ(all[4].allowed, "0 or more");
  EXPECT_EQ(all[4].unit, "s");
}

TEST(Options, RejectsACombinationWithPlaceValueAndProblem) {
  const auto read = [](Options& o) {
    read_rank(o);
    o.integer("rows", 100, 1, 1000, "", "");
    o.reject("rank", "must be smaller than rows (100)");
  };
  EXPECT_EQ(error_of("\nrank: 200", read),
            "quick.yaml:2: workload.rank: must be smaller than rows (100), seen the integer 200");
  EXPECT_EQ(error_of("rows: 5", read),
            "quick.yaml:1: workload.rank: must be smaller than rows (100), and its default is 32");
}

/// Declares one option of every kind, as a plug-in would.
Value resolve(const Value& config) {
  Options o(&config, "");
  read_rank(o);
  read_rate(o);
  read_bold(o);
  read_file(o);
  read_owner(o);
  read_rank(o.group("inner", ""));
  read_file(o.group("other", "").group("deep", ""));
  o.each("slow", "", [](Options& e) { read_rate(e); });
  o.finish();
  return o.resolved();
}

TEST(Options, ResolvesToAConfigThatReadsBackToItself) {
  const Value config = parse_yaml(
      "rank: 1e2\nrate: 1\nfile: \"5\"\nslow: [{}, {rate: 0.1}]\ninner: {rank: 3}\n", "quick.yaml");
  const Value resolved = resolve(config);
  EXPECT_EQ(resolved.flow(),
            "{rank: 100, rate: 1.0, bold: false, file: \"5\", owner: hash, inner: {rank: 3}, "
            "other: {deep: {file: x.tsv}}, slow: [{rate: 0.5}, {rate: 0.1}]}");
  const Value again = parse_yaml(dump_yaml(resolved), "config.yaml");
  EXPECT_EQ(again, resolved);
  EXPECT_EQ(resolve(again), resolved);
}

TEST(Options, TreatsAWrongDeclarationAsABugInTheProgram) {
  Options options(nullptr, "workload");
  read_rank(options);
  EXPECT_THROW(read_rank(options), std::logic_error);
  EXPECT_THROW(options.integer("a", 0, 1, 10, "", ""), std::logic_error);
  EXPECT_THROW(options.real("b", std::nan(""), 0, 1, "", ""), std::logic_error);
  EXPECT_THROW(options.choice("c", "x", {"y"}, ""), std::logic_error);
  EXPECT_THROW(options.given("never"), std::logic_error);
  EXPECT_THROW(options.reject("never", ""), std::logic_error);
}

}  // namespace
}  // namespace pslab::config
