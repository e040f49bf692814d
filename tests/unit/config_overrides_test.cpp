#include "config/overrides.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/yaml.hpp"

namespace pslab::config {
namespace {

constexpr std::string_view kFile =
    "workload:\n  name: kge\n  rank: 32\nstrategy: {name: static}\nempty:\n";

std::string overridden(const std::vector<std::string>& arguments) {
  Value config = parse_yaml(kFile, "quick.yaml");
  apply_overrides(config, arguments);
  return config.flow();
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    overridden(arguments);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, ReplaceAValue) {
  EXPECT_EQ(overridden({"workload.rank=8"}),
            "{workload: {name: kge, rank: 8}, strategy: {name: static}, empty: null}");
}

TEST(Overrides, MakeTheMapsOnTheWay) {
  EXPECT_EQ(overridden({"cluster.net.rate=0.5", "cluster.nodes=4", "empty.x=1"}),
            "{workload: {name: kge, rank: 32}, strategy: {name: static}, empty: {x: 1}, "
            "cluster: {net: {rate: 0.5}, nodes: 4}}");
}

TEST(Overrides, ReplaceAWholeMap) {
  EXPECT_EQ(overridden({"workload={name: mf, dims: [1, 2]}"}),
            "{workload: {name: mf, dims: [1, 2]}, strategy: {name: static}, empty: null}");
}

TEST(Overrides, TakeValuesByTheRulesOfTheFile) {
  EXPECT_EQ(overridden({"workload.rank=\"5\""}),
            "{workload: {name: kge, rank: \"5\"}, strategy: {name: static}, empty: null}");
  EXPECT_EQ(overridden({"workload.name=a=b c"}),
            "{workload: {name: \"a=b c\", rank: 32}, strategy: {name: static}, empty: null}");
  EXPECT_EQ(error_of({"workload.rank=010"}).substr(0, 56),
            "command line: workload.rank=010: '010' has a leading zer");
}

TEST(Overrides, ReachTheAxesOfASweep) {
  Value config = parse_yaml("sweep: {cluster.nodes: [1, 2]}", "quick.yaml");
  apply_overrides(config, {"sweep.cluster.nodes=[4]", "sweep.zip.train.epochs=[5]"});
  EXPECT_EQ(config.flow(), "{sweep: {cluster.nodes: [4], zip: {train.epochs: [5]}}}");
}

TEST(Overrides, RememberTheWholeArgumentAsOrigin) {
  Value config = parse_yaml(kFile, "quick.yaml");
  apply_overrides(config, {"workload={name: mf, dims: [1, 2]}"});
  const std::string origin = "command line: workload={name: mf, dims: [1, 2]}";
  EXPECT_EQ(config.find("workload")->origin().text(), origin);
  EXPECT_EQ((*config.find("workload")->find("dims")->list())[1].origin().text(), origin);
  EXPECT_EQ(find_override(*config.find("strategy")), nullptr);
  ASSERT_NE(find_override(config), nullptr);
  EXPECT_EQ(find_override(config)->origin().text(), origin);
}

TEST(Overrides, AreRefusedWithTheWholeArgumentAndTheReason) {
  EXPECT_EQ(
      error_of({"workload.rank"}),
      "command line: workload.rank: is not an override, it has no '='. Write KEY.PATH=VALUE, as "
      "in 'cluster.nodes=4'.");
  for (const char* argument : {"=5", ".a=5", "a.=5", "a..b=5", "a b=5"}) {
    const std::string error = error_of({argument});
    EXPECT_TRUE(error.starts_with(std::string("command line: ") + argument + ": the path '"))
        << error;
  }
  EXPECT_NE(error_of({"a[0].b=1"}).find("names an element of a list"), std::string::npos);
  EXPECT_NE(error_of({"workload.rank="}).find("command line: workload.rank=: the value is empty"),
            std::string::npos);
  EXPECT_NE(error_of({"workload.rank=1, 2"}).find("2 values where one is expected"),
            std::string::npos);
  EXPECT_NE(
      error_of({"workload={name: mf"}).find("command line: workload={name: mf: not valid YAML"),
      std::string::npos);
}

TEST(Overrides, CannotReachIntoAScalar) {
  EXPECT_EQ(
      error_of({"workload.rank.x=5"}),
      "command line: workload.rank.x=5: 'workload.rank' is the integer 32 (quick.yaml:3), not a "
      "map, so it has no 'x'. Replace it whole: 'workload.rank={...}'.");
}

TEST(Overrides, DoNotLoseTheEndOfAValueToAComment) {
  EXPECT_EQ(
      error_of({"workload.name=run #3"}),
      "command line: workload.name=run #3: '#' starts a comment in YAML. Put the value in quotes.");
  EXPECT_NE(error_of({"workload.name=#3"}), "no error");
  EXPECT_EQ(error_of({"workload.name=\"run #3\""}), "no error");
  EXPECT_EQ(error_of({"workload.name=run#3"}), "no error");
}

TEST(Overrides, DoNotUndoEachOther) {
  EXPECT_EQ(error_of({"workload.rank=8", "workload.rank=16"}),
            "command line: workload.rank=16: would undo what 'workload.rank=8' set. Give each path "
            "once.");
  EXPECT_NE(error_of({"workload.rank=8", "workload={name: mf}"}).find("would undo"),
            std::string::npos);
  EXPECT_EQ(error_of({"strategy={name: ssp}", "strategy.staleness=3"}), "no error");
}

TEST(Overrides, LimitTheDepthWithoutACrash) {
  std::string path = "a";
  for (int i = 0; i < 50'000; ++i) path += ".a";
  EXPECT_NE(error_of({path + "=1"}).find("more than 64 parts"), std::string::npos);
}

}  // namespace
}  // namespace pslab::config
