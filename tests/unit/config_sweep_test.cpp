#include "config/sweep.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "config/overrides.hpp"
#include "config/slug.hpp"
#include "config/yaml.hpp"

namespace pslab::config {
namespace {

std::vector<SweepRun> expand(const std::string& yaml,
                             const std::vector<std::string>& overrides = {}) {
  Value config = parse_yaml(yaml, "quick.yaml");
  apply_overrides(config, overrides);
  return expand_sweep(config);
}

std::vector<std::string> configs(const std::string& yaml) {
  std::vector<std::string> result;
  for (const SweepRun& run : expand(yaml)) result.push_back(run.config.flow());
  return result;
}

std::string error_of(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  try {
    expand(yaml, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& yaml, const std::string& begin, const std::string& part) {
  const std::string error = error_of(yaml);
  EXPECT_TRUE(error.starts_with(begin)) << error;
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

using Texts = std::vector<std::string>;

TEST(Sweep, IsOneRunWithoutASweep) {
  EXPECT_EQ(configs("a: 1\nseed: 5\n"), (Texts{"{a: 1, seed: 5}"}));
  EXPECT_EQ(configs("a: 1\nsweep: {}\n"), (Texts{"{a: 1, seed: 1}"}));
  EXPECT_EQ(configs(""), (Texts{"{seed: 1}"}));
}

TEST(Sweep, CrossesItsListsAndVariesTheFirstSlowest) {
  EXPECT_EQ(configs("seed: 1\n"
                    "cluster: {nodes: 8, workers: 2}\n"
                    "sweep:\n"
                    "  strategy: [{name: static}, {name: hybrid}]\n"
                    "  cluster.nodes: [1, 2]\n"),
            (Texts{"{seed: 1, cluster: {nodes: 1, workers: 2}, strategy: {name: static}}",
                   "{seed: 1, cluster: {nodes: 2, workers: 2}, strategy: {name: static}}",
                   "{seed: 1, cluster: {nodes: 1, workers: 2}, strategy: {name: hybrid}}",
                   "{seed: 1, cluster: {nodes: 2, workers: 2}, strategy: {name: hybrid}}"}));
}

TEST(Sweep, ZipsListsIntoOneAxis) {
  EXPECT_EQ(configs("sweep:\n  x: [a, b]\n  zip: {v: [1, 2], w: [3, 4]}\n"),
            (Texts{"{x: a, v: 1, w: 3, seed: 1}", "{x: a, v: 2, w: 4, seed: 1}",
                   "{x: b, v: 1, w: 3, seed: 1}", "{x: b, v: 2, w: 4, seed: 1}"}));
}

TEST(Sweep, TakesAListOfZipsAsSeveralAxes) {
  EXPECT_EQ(configs("sweep:\n  zip:\n    - {u: [1, 2], v: [3, 4]}\n    - {x: [5, 6]}\n"),
            (Texts{"{u: 1, v: 3, x: 5, seed: 1}", "{u: 1, v: 3, x: 6, seed: 1}",
                   "{u: 2, v: 4, x: 5, seed: 1}", "{u: 2, v: 4, x: 6, seed: 1}"}));
}

TEST(Sweep, ReplacesAMapAsAWhole) {
  EXPECT_EQ(configs("strategy: {name: hybrid, sync_rate: 5}\nseed: 1\n"
                    "sweep: {strategy: [{name: static}]}\n"),
            (Texts{"{strategy: {name: static}, seed: 1}"}));
}

TEST(Sweep, TellsWhatVaries) {
  const std::vector<SweepRun> runs =
      expand("sweep:\n  strategy: [{name: hybrid, sync_rate: 5}]\n  cluster.nodes: [4]\n");
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_EQ(runs[0].varied.size(), 2U);
  EXPECT_EQ(runs[0].varied[0].path, "strategy");
  EXPECT_EQ(runs[0].varied[0].value.flow(), "{name: hybrid, sync_rate: 5}");
  EXPECT_EQ(runs[0].varied[0].slug, "hybrid-sync-rate-5");
  EXPECT_EQ(runs[0].varied[1].path, "cluster.nodes");
  EXPECT_EQ(runs[0].varied[1].slug, "nodes-4");
  EXPECT_EQ(runs[0].config.find("cluster")->find("nodes")->origin().text(), "quick.yaml:3");
}

TEST(Repeats, CrossWithTheSweepFastestAndCountTheSeedUp) {
  const std::vector<SweepRun> runs = expand("seed: 10\nrepeats: 2\nsweep: {x: [a, b]}\n");
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[1].config.flow(), "{seed: 11, x: a}");
  EXPECT_EQ(runs[2].config.flow(), "{seed: 10, x: b}");
  EXPECT_EQ(runs[3].repeat, 2);
  EXPECT_EQ(runs[3].repeats, 2);
  EXPECT_EQ(runs[3].base_seed, 10);
  EXPECT_EQ(runs[3].seed, 11);
}

TEST(Repeats, AreCheckedLikeAnyOption) {
  EXPECT_EQ(error_of("\nrepeats: 0"),
            "quick.yaml:2: repeats: expected an integer in 1 .. 10000, seen the integer 0");
  EXPECT_NE(error_of("repeats: many"), "no error");
  EXPECT_NE(error_of("repeats:").find("is empty"), std::string::npos);
  EXPECT_NE(error_of("seed: -1").find("seed: expected an integer in 0 .. "), std::string::npos);
}

TEST(Repeats, DoNotMixWithASweepOverSeeds) {
  EXPECT_EQ(expand("sweep: {seed: [5, 9]}")[1].seed, 9);
  expect_error("repeats: 2\nsweep:\n  seed: [5, 9]\n", "quick.yaml:3: sweep: seed: ", "repeats");
}

TEST(Sweep, RefusesWhatIsNoListOrEmpty) {
  expect_error("sweep: 5", "quick.yaml:1: sweep: expected a map", "seen the integer 5");
  expect_error("sweep:", "quick.yaml:1: sweep: expected a map", "remove the line");
  expect_error("sweep:\n  cluster.nodes: 4\n", "quick.yaml:2: sweep.cluster.nodes: expected a list",
               "seen the integer 4");
  expect_error("sweep:\n  cluster: {nodes: [1]}\n", "quick.yaml:2: sweep.cluster: expected a list",
               "seen a map");
  expect_error("sweep:\n  cluster.nodes: []\n",
               "quick.yaml:2: sweep.cluster.nodes: the list is empty", "remove the line");
  expect_error("sweep:\n  a..b: [1]\n", "quick.yaml:2: sweep.a..b: ", "not well formed");
  expect_error("sweep:\n  repeats: [1]\n", "quick.yaml:2: sweep.repeats: ", "cannot be swept");
}

TEST(Sweep, RefusesAWrongZip) {
  expect_error("sweep:\n  zip:\n    y: [1, 2]\n    z: [3]\n",
               "quick.yaml:2: sweep.zip: zipped lists must have equal lengths",
               "y has 2 (line 3), z has 1 (line 4)");
  EXPECT_EQ(error_of("", {"sweep.zip={y: [1, 2], z: [3]}"}),
            "command line: sweep.zip={y: [1, 2], z: [3]}: sweep.zip: zipped lists must have equal "
            "lengths: y has 2, z has 1.");
  EXPECT_EQ(error_of("sweep:\n  zip: {y: [1, 2], z: [3, 4]}", {"sweep.zip.z=[5]"}),
            "quick.yaml:2: sweep.zip: zipped lists must have equal lengths: y has 2 (line 2), "
            "z has 1 (command line: sweep.zip.z=[5]).");
  expect_error("sweep: {zip: 5}", "quick.yaml:1: sweep.zip: expected a map", "the integer 5");
  expect_error("sweep: {zip: {}}", "quick.yaml:1: sweep.zip: expected a map", "an empty map");
  expect_error("sweep: {zip: []}", "quick.yaml:1: sweep.zip: the list is empty", "");
  expect_error("sweep: {zip: [{x: [1]}, 5]}", "quick.yaml:1: sweep.zip[1]: expected a map", "");
  expect_error("sweep: {zip: {y: 5}}", "quick.yaml:1: sweep.zip.y: expected a list", "");
}

TEST(Sweep, RefusesPathsThatOverlap) {
  expect_error("sweep:\n  strategy: [{name: ssp}]\n  strategy.staleness: [1, 2]\n",
               "quick.yaml:3: sweep: 'strategy.staleness' ", "'strategy', swept at quick.yaml:2");
  expect_error("sweep:\n  a.b: [1]\n  zip: {a: [2]}\n", "quick.yaml:3: sweep: 'a' ", "overlapping");
  expect_error("sweep:\n  a.b: [1]\n  zip: {a.b: [2]}\n", "quick.yaml:3: sweep: 'a.b' ",
               "the same path");
  EXPECT_EQ(error_of("sweep: {a.b: [1], a.bc: [2]}"), "no error");
}

TEST(Sweep, RefusesAPathThroughAScalar) {
  expect_error("a: 5\nsweep:\n  a.b: [1]\n",
               "quick.yaml:3: sweep: 'a' is the integer 5 (quick.yaml:1)", "not a map");
}

TEST(Sweep, RefusesRunsThatWouldBeEqual) {
  expect_error("sweep:\n  x: [1, 2, 1]\n", "quick.yaml:2: sweep: x: elements 1 and 3", "repeats");
  EXPECT_EQ(error_of("sweep: {zip: {x: [1, 1], y: [1, 2]}}"), "no error");
  expect_error("sweep: {zip: {x: [1, 1], y: [2, 2]}}", "quick.yaml:1: sweep: x: elements 1 and 2",
               "in all zipped lists");
}

TEST(Sweep, GivesWayToAnOverrideOfItsPath) {
  const auto with = [](const std::string& yaml, const std::vector<std::string>& overrides) {
    Texts result;
    for (const SweepRun& run : expand(yaml, overrides)) result.push_back(run.config.flow());
    return result;
  };
  EXPECT_EQ(with("sweep: {a.b: [1, 2], c: [3, 4]}", {"a.b=7"}),
            (Texts{"{a: {b: 7}, c: 3, seed: 1}", "{a: {b: 7}, c: 4, seed: 1}"}));
  EXPECT_EQ(with("sweep: {a.b: [1, 2]}", {"a={b: 7}"}), (Texts{"{a: {b: 7}, seed: 1}"}));
  EXPECT_EQ(with("sweep: {a.b: [1, 2]}", {"a={c: 7}"}).size(), 2U);
  EXPECT_EQ(with("sweep: {ab: [1, 2]}", {"a=7"}).size(), 2U);
  EXPECT_EQ(with("sweep: {seed: [1, 2]}", {"seed=7"}), (Texts{"{seed: 7}"}));
  EXPECT_EQ(with("sweep: {zip: {a: [1, 2]}}", {"a=7"}), (Texts{"{a: 7, seed: 1}"}));
  EXPECT_EQ(with("sweep: {zip: [{a: [1, 2]}, {b: [1, 2]}]}", {"a=7"}).size(), 2U);
}

TEST(Sweep, MergesZippedRowsThatAnOverrideMakesEqual) {
  const std::string zip = "sweep: {zip: {a: [1, 8, 8, 8], b: [u, u, v, w]}}";
  std::string seen;
  for (const SweepRun& run : expand(zip, {"a=2"})) seen += *run.config.find("b")->text();
  EXPECT_EQ(seen, "uvw");
  EXPECT_EQ(expand(zip, {"b=x"}).size(), 2U);
  EXPECT_NE(error_of("sweep: {zip: {a: [1, 1], b: [x, x]}}", {"a=2"}), "no error");
  EXPECT_NE(error_of("sweep: {zip: {a: [1, 1], b: [x]}}", {"c=2"}), "no error");
}

TEST(Sweep, SaysWhatAnOverrideTakesOutOfIt) {
  Value config = parse_yaml("b: 1\nsweep:\n  zip: {a.b: [1, 2]}", "quick.yaml");
  EXPECT_EQ(apply_overrides(config, {"a.b=7", "c=1"}),
            (Texts{"a.b=7 takes a.b out of the sweep (quick.yaml:3)"}));
}

TEST(Sweep, RefusesAnOverrideThatItWouldHide) {
  EXPECT_EQ(error_of("a: 1", {"cluster.nodes=4", "sweep.cluster.nodes=[1, 2]"}),
            "command line: cluster.nodes=4: would have no effect, because 'cluster.nodes' is swept "
            "(command line: sweep.cluster.nodes=[1, 2]). Give one of the two.");
  EXPECT_NE(error_of("a: 1", {"sweep.a=[1, 2]", "a=4"}), "no error");
  EXPECT_EQ(expand("sweep: {cluster.nodes: [1, 2]}", {"sweep.cluster.nodes=[4]"}).size(), 1U);
}

TEST(Sweep, GivesAdviceThatWorksOnAnOverrideInsideASweptPath) {
  const std::string no_effect =
      "command line: s.x=4: would have no effect, because 's' is swept (quick.yaml:1). ";
  const std::string crossed = "sweep: {s: [{name: a}, {name: b}]}";
  EXPECT_EQ(error_of(crossed, {"s.x=4"}),
            no_effect +
                "Override the whole list, 'sweep.s=[...]' with 2 values; or give one value "
                "for all runs, 's={...}'.");
  const std::string zipped = "sweep: {zip: {s: [{name: a}, {name: b}], n: [1, 2]}}";
  EXPECT_EQ(error_of(zipped, {"s.x=4"}),
            no_effect +
                "Override the whole list, 'sweep.zip.s=[...]' with 2 values; or give one "
                "value for all runs, 's={...}'.");
  EXPECT_NE(error_of("sweep: {zip: [{s: [{name: a}]}]}", {"s.x=4"}).find("list, 'sweep.zip=[...]'"),
            std::string::npos);
  const std::string both = "[{name: a, x: 4}, {name: b, x: 4}]";
  EXPECT_EQ(expand(crossed, {"sweep.s=" + both}).size(), 2U);
  EXPECT_EQ(expand(zipped, {"sweep.zip.s=" + both}).size(), 2U);
  EXPECT_EQ(expand(crossed, {"s={name: a, x: 4}"}).size(), 1U);
  EXPECT_EQ(expand(zipped, {"s={name: a, x: 4}"}).size(), 2U);
  EXPECT_EQ(expand("sweep: {zip: [{s: [{name: a}]}]}", {"sweep.zip=[{s: " + both + "}]"}).size(),
            2U);
}

TEST(Sweep, RefusesAnExplosion) {
  std::string list = "[0";
  for (int i = 1; i < 1000; ++i) list += ", " + std::to_string(i);
  list += "]";
  expect_error("sweep: {x: " + list + ", y: " + list + "}",
               "quick.yaml:1: sweep: more than 100000 runs (x: 1000, y: 1000; repeats: 1)",
               "Shorten");
}

std::string slug_of(const std::string& path, const std::string& value) {
  return slugs(path, {parse_yaml_value(value, Origin{"t", 0})}).front();
}

TEST(Slug, NamesTheValueShortly) {
  EXPECT_EQ(slug_of("strategy", "{name: static}"), "static");
  EXPECT_EQ(slug_of("strategy", "{sync_rate: 5, name: hybrid}"), "hybrid-sync-rate-5");
  EXPECT_EQ(slug_of("strategy", "static"), "static");
  EXPECT_EQ(slug_of("strategy.name", "static"), "static");
  EXPECT_EQ(slug_of("cluster.nodes", "4"), "nodes-4");
  EXPECT_EQ(slug_of("x.rate", "0.5"), "rate-0.5");
  EXPECT_EQ(slug_of("x.rate", "1e-9"), "rate-1e-09");
  EXPECT_EQ(slug_of("x.rate", "25.0"), "rate-25");
  EXPECT_EQ(slug_of("x.on", "true"), "on-true");
  EXPECT_EQ(slug_of("x.dims", "[1, 2]"), "dims-1+2");
  EXPECT_EQ(slug_of("workload.dataset", "{generator: zipf, rows: 10}"),
            "dataset-generator-zipf-rows-10");
}

TEST(Slug, IsSafeAsPartOfAFolderName) {
  for (const char* text :
       {"'../../etc'", "'..'", "'-rf'", "'a b/c\\d'", "''", "'caf\u00e9'", "'%$'"}) {
    const std::string slug = slug_of("strategy", text);
    EXPECT_EQ(
        slug.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-"),
        std::string::npos)
        << slug;
    EXPECT_NE(std::string(".+-").find(slug.at(0)), 0U);
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(slug.at(0)))) << slug;
  }
  EXPECT_LE(slug_of("strategy", std::string(1000, 'x')).size(), kMaxSlug);
}

TEST(Slug, DiffersBetweenDifferentValues) {
  List values;
  for (const char* text : {"a_b", "a-b", "a b", "\u00e9", "\u00e8", "", "empty", "c"}) {
    values.emplace_back(text);
  }
  values.emplace_back(std::string(100, 'x') + "1");
  values.emplace_back(std::string(100, 'x') + "2");
  const std::vector<std::string> all = slugs("strategy", values);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), values.size());
  EXPECT_EQ(all[7], "c");
}

TEST(Slug, IsTheSameForEqualValues) {
  const std::vector<std::string> all = slugs("x", {Value("a_b"), Value("a-b"), Value("a_b")});
  EXPECT_EQ(all[0], all[2]);
  EXPECT_NE(all[0], all[1]);
}

}  // namespace
}  // namespace pslab::config
