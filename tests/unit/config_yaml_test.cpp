#include "config/yaml.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace pslab::config {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_yaml(text, "quick.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Expects an error that begins with `begin` and has `part` in it.
void expect_error(std::string_view text, const std::string& begin, const std::string& part) {
  const std::string error = error_of(text);
  EXPECT_TRUE(error.starts_with(begin)) << error;
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

Value member(const std::string& scalar) {
  return *parse_yaml("a: " + scalar, "quick.yaml").find("a");
}

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content)
      : path_(std::filesystem::temp_directory_path() /
              ("pslab_yaml_test_" + std::to_string(::getpid()) + ".yaml")) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Yaml, ReadsAnExperiment) {
  const Value config = parse_yaml(
      "experiment: skew-study  # a comment\n"
      "cluster: {nodes: 8, platform: ethernet-10g}\n"
      "train:\n"
      "  epochs: 10\n"
      "  rate: 0.5\n"
      "  shuffle: true\n"
      "sweep:\n"
      "  cluster.nodes: [1, 2]\n",
      "quick.yaml");
  EXPECT_EQ(config.flow(),
            "{experiment: skew-study, cluster: {nodes: 8, platform: ethernet-10g}, "
            "train: {epochs: 10, rate: 0.5, shuffle: true}, sweep: {cluster.nodes: [1, 2]}}");
}

TEST(Yaml, RemembersTheLineOfTheKey) {
  const Value config = parse_yaml("a: 1\n\nb:\n  c:\n    - 5\n    - 6\n", "quick.yaml");
  EXPECT_EQ(config.find("a")->origin().text(), "quick.yaml:1");
  EXPECT_EQ(config.find("b")->origin().text(), "quick.yaml:3");
  EXPECT_EQ(config.find("b")->find("c")->origin().text(), "quick.yaml:4");
  EXPECT_EQ((*config.find("b")->find("c")->list())[1].origin().text(), "quick.yaml:6");
}

TEST(Yaml, TakesAnEmptyTextForAnEmptyMap) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parse_yaml(text, "quick.yaml"), Value(Map{})) << text;
  }
}

TEST(YamlScalars, HaveTheDocumentedTypes) {
  EXPECT_EQ(member("5"), Value(5));
  EXPECT_EQ(member("+5"), Value(5));
  EXPECT_EQ(member("-5"), Value(-5));
  EXPECT_EQ(member("0"), Value(0));
  EXPECT_EQ(member("9223372036854775807"), Value(INT64_MAX));
  EXPECT_EQ(member("-9223372036854775808"), Value(INT64_MIN));
  EXPECT_EQ(member("0.5"), Value(0.5));
  EXPECT_EQ(member(".5"), Value(0.5));
  EXPECT_EQ(member("+5."), Value(5.0));
  EXPECT_EQ(member("1e6"), Value(1e6));
  EXPECT_EQ(member("-1.5E-3"), Value(-1.5e-3));
  EXPECT_EQ(member("true"), Value(true));
  EXPECT_EQ(member("false"), Value(false));
  EXPECT_EQ(member("abc"), Value("abc"));
  for (const char* null : {"", "~", "null", "Null", "NULL"}) EXPECT_EQ(member(null), Value());
}

TEST(YamlScalars, AreTextWhereTheyOnlyBeginLikeANumber) {
  for (const char* text :
       {"10:30", "2024-01-01", "1.2.3", "1e", "5s", "0xyz", "-", "1,5", "0b12", "e5"}) {
    if (std::string_view(text) == "-") continue;  // a list entry, see below
    EXPECT_EQ(member(text), Value(text));
  }
}

TEST(YamlScalars, AreTextWhenQuotedOrInABlock) {
  EXPECT_EQ(member("\"5\""), Value("5"));
  EXPECT_EQ(member("'true'"), Value("true"));
  EXPECT_EQ(member("''"), Value(""));
  EXPECT_EQ(member("\"null\""), Value("null"));
  EXPECT_EQ(member("'.nan'"), Value(".nan"));
  EXPECT_EQ(member("|\n  010\n"), Value("010\n"));
}

TEST(YamlScalars, RefuseOctalAndOtherBases) {
  expect_error("x:\n  a: 010", "quick.yaml:2: x.a: '010' has a leading zero", "Write 10 for");
  expect_error("a: -007", "quick.yaml:1: a: '-007' has a leading zero", "Write 7 for");
  expect_error("a: 00", "quick.yaml:1: a: '00' has a leading zero", "Write 0 for");
  for (const char* text : {"0x10", "0XfF", "0o17", "0b11", "-0x1"}) {
    expect_error(std::string("a: ") + text, "quick.yaml:1: a: ", "is not a decimal number");
  }
  expect_error("a: 1_000", "quick.yaml:1: a: ", "'_' between its digits");
}

TEST(YamlScalars, RefuseEveryOtherSpellingOfTrueAndFalse) {
  for (const char* text : {"yes", "Yes", "on", "ON", "y", "True", "TRUE"}) {
    expect_error(std::string("a: ") + text, "quick.yaml:1: a: ", "Write true if a flag is meant");
  }
  for (const char* text : {"no", "No", "off", "n", "N", "False", "FALSE"}) {
    expect_error(std::string("a: ") + text, "quick.yaml:1: a: ", "Write false if a flag is meant");
  }
}

TEST(YamlScalars, RefuseNumbersThatCannotBeHeld) {
  expect_error("a: 9223372036854775808", "quick.yaml:1: a: '9223372036854775808'", "beyond");
  expect_error("a: -9223372036854775809", "quick.yaml:1: a: ", "beyond the integers");
  expect_error("a: " + std::string(100'000, '9'), "quick.yaml:1: a: ", "beyond the integers");
  expect_error("a: 1e400", "quick.yaml:1: a: '1e400'", "beyond the reals");
  expect_error("a: -1e400", "quick.yaml:1: a: ", "beyond the reals");
  expect_error("a: 1e-400", "quick.yaml:1: a: ", "beyond the reals");
}

TEST(YamlScalars, RefuseNanAndInfinity) {
  for (const char* text : {".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.Inf", ".INF"}) {
    expect_error(std::string("a: ") + text, "quick.yaml:1: a: ", "is not a finite number");
  }
}

TEST(Yaml, RefusesAKeyGivenTwiceAndNamesBothLines) {
  expect_error("w:\n  rank: 1\n  x: 2\n  rank: 3\n", "quick.yaml:4: w.rank: the same key twice",
               "first in line 2");
  expect_error("{a: 1, a: 2}", "quick.yaml:1: a: ", "the same key twice");
  expect_error("a: 1\n'a': 2", "quick.yaml:2: a: ", "the same key twice");
  EXPECT_EQ(error_of("x: {a: 1}\ny: {a: 2}\n"), "no error");
}

TEST(Yaml, RefusesASecondDocument) {
  expect_error("a: 1\n---\nb: 2\n", "quick.yaml:2: a second document", "one document per file");
  expect_error("a: 1\n---\n", "quick.yaml:2: a second document", "one document per file");
  expect_error("a: 1\n...\nb: 2\n", "quick.yaml:3: a second document", "one document per file");
  expect_error("{a: 1}\nb: 2\n", "quick.yaml:2: a second document", "text follows");
  EXPECT_EQ(error_of("---\na: 1\n...\n"), "no error");
}

TEST(Yaml, RefusesMergeKeysAnchorsAliasesAndTags) {
  expect_error("a: 1\n<<: {b: 1}\n", "quick.yaml:2: merge keys", "Write the members out");
  expect_error("x:\n  a: &base 5\n", "quick.yaml:2: x.a: anchors are not supported, seen '&base'",
               "");
  expect_error("a: &base {b: 1}\n", "quick.yaml:1: a: anchors", "");
  expect_error("a: &base\nb: *base\n", "quick.yaml:1: a: anchors", "");
  expect_error("a: *base\n", "quick.yaml:1: ", "anchor");
  for (const char* text : {"!!int 5", "!!str 5", "!foo 5", "! 5", "!foo {b: 1}", "![1]", "! [1]",
                           "!!binary \"aGk=\"", "! \"5\""}) {
    expect_error(std::string("a: ") + text, "quick.yaml:1: a: tags", "Remove the tag");
  }
  expect_error("!foo a: 1", "quick.yaml:1: ", "tags");
  expect_error("!foo {a: 1}", "quick.yaml:1: ", "tags");
}

TEST(Yaml, TakesKeysAsText) {
  const Value config = parse_yaml("1: x\ntrue: w\n010: z\n\"q\": 1\n", "quick.yaml");
  EXPECT_EQ(
      config,
      Value(Map{{"1", Value("x")}, {"true", Value("w")}, {"010", Value("z")}, {"q", Value(1)}}));
}

TEST(Yaml, RefusesKeysThatAreEmptyOrNoText) {
  expect_error(": 1", "quick.yaml:1: a key is empty", "");
  expect_error("~: 1", "quick.yaml:1: a key is empty", "");
  expect_error("? [a]\n: 1\n", "quick.yaml:1: a list or map cannot be a key", "");
  expect_error("a: {{b: 1}: 2}", "quick.yaml:1: a: a list or map cannot be a key", "");
}

TEST(Yaml, RefusesWhatIsNoMapAtTheTop) {
  expect_error("- a\n- b\n", "quick.yaml:1: expected 'key: value' lines", "seen a list");
  expect_error("\nabc", "quick.yaml:2: expected 'key: value' lines", "seen the text 'abc'");
  expect_error("rank:32", "quick.yaml:1: ", "Put a space after each colon");
  expect_error("5", "quick.yaml:1: ", "seen the integer 5");
}

TEST(Yaml, RefusesTabsInTheIndentation) {
  expect_error("a:\n\tb: 1\n", "quick.yaml:2: a tab in the indentation", "Indent with spaces");
  expect_error("a:\n  \tb: 1\n", "quick.yaml:2: a tab in the indentation", "");
  expect_error("a:\n\t\n  b: 1\n", "quick.yaml:2: a tab in the indentation", "");
  EXPECT_EQ(parse_yaml("a:\t5\nb: x\ty # c\td\n", "t").flow(), "{a: 5, b: \"x\\x09y\"}");
}

TEST(Yaml, AcceptsAByteOrderMarkAndCarriageReturns) {
  const Value config = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb:\r\n  c: x\r\n",
      "quick.yaml");
  EXPECT_EQ(config.flow(), "{a: 1, b: {c: x}}");
  EXPECT_EQ(config.find("b")->find("c")->origin().line, 3);
}

TEST(Yaml, RefusesBytesThatAreNoText) {
  expect_error("a: 1\nb: \xff\n", "quick.yaml:2: the byte \\xff is not UTF-8",
               "Save the file as UTF-8");
  expect_error("a: caf\xe9\n", "quick.yaml:1: the byte \\xe9 is not UTF-8", "");
  expect_error(std::string_view("\xff\xfe"
                                "a\0:\0",
                                6),
               "quick.yaml:1: ", "not UTF-8");
  expect_error(std::string_view("a: b\0c", 6), "quick.yaml:1: the control character \\x00", "");
  expect_error("a: 1\n\x04\nb: 2\n", "quick.yaml:2: the control character \\x04", "");
  expect_error("a: 1\rb: 2\n", "quick.yaml:1: the control character \\x0d", "");
  EXPECT_EQ(member("caf\u00e9 \U0001F600"), Value("caf\u00e9 \U0001F600"));
}

TEST(Yaml, NamesLineColumnAndRemedyForBrokenSyntax) {
  expect_error("a: 1\nb: c: d\n", "quick.yaml:2: not valid YAML at column 5", "in quotes");
  expect_error("a: [1, 2", "quick.yaml:1: not valid YAML", "without its ']'");
  expect_error("a: {b: 1", "quick.yaml:1: not valid YAML", "without its '}'");
  expect_error("a: 1\nb: 'x", "quick.yaml:2: not valid YAML", "a quote is not closed");
  expect_error("a: @b\n", "quick.yaml:1: not valid YAML", "in quotes");
  expect_error("a:\n   b: 1\n  c: 2\n", "quick.yaml:3: not valid YAML", "indentation");
  expect_error("a: [1]]\n", "quick.yaml:1: not valid YAML", "brackets");
  expect_error("%YAML 3.0\n---\na: 1\n", "quick.yaml:1: not valid YAML", "version");
}

TEST(Yaml, RefusesAQuoteThatIsNotClosedOnItsLine) {
  // yaml-cpp would take all of the file up to its end as the text.
  expect_error("a: 1\nb: 'x\nc: 2\n", "quick.yaml:2: b: a quote is not closed", "Close it");
  expect_error("a: 1\nb: \"x\\\"\nc: 2\n", "quick.yaml:2: b: a quote is not closed", "");
  expect_error("b: 'it''\n", "quick.yaml:1: b: a quote is not closed", "");
  expect_error("caf\u00e9: \"x\n  y\"\r\n", "quick.yaml:1: caf\u00e9: a quote is not closed", "");
  EXPECT_EQ(parse_yaml("\u00e9: 'it''s'\r\nb: \"\\\\\"\n'c''d': \"'\"\n", "t").flow(),
            "{\"\u00e9\": \"it's\", b: \"\\\\\", \"c'd\": \"'\"}");
}

TEST(Yaml, RefusesAPlainValueThatGoesOnInTheNextLine) {
  expect_error("x:\n  a: 1\n   2\n", "quick.yaml:2: x.a: a value without quotes goes on", "");
  expect_error("x: [static\n  hybrid]\n", "quick.yaml:1: x[0]: a value without quotes goes on",
               "commas");
  EXPECT_EQ(parse_yaml("x: [\u00e9,\r\n  \u00e9 b ,c]\nt: a  b\n", "t").flow(),
            "{x: [\"\u00e9\", \"\u00e9 b\", c], t: \"a  b\"}");
}

TEST(Yaml, ReadsBlockScalarsOfSeveralLines) {
  EXPECT_EQ(member("|\n  x\n  y\n"), Value("x\ny\n"));
  EXPECT_EQ(member(">-\n  x\n  y\n"), Value("x y"));
}

TEST(Yaml, LimitsTheDepthWithoutACrash) {
  const auto nested = [](std::size_t levels) {
    return "a: " + std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(error_of(nested(kMaxDepth - 1)), "no error");
  expect_error(nested(kMaxDepth), "quick.yaml:1: a[0][0]", "more than 64 levels");
  expect_error(nested(100'000), "quick.yaml:1: a[0][0]", "more than 64 levels");
  std::string maps;
  for (int i = 0; i < 10'000; ++i) maps += "{a: ";
  expect_error("x: " + maps, "quick.yaml:1: x.a.a", "more than 64 levels");
  std::string dashes;
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  expect_error(dashes, "quick.yaml:1: ", "more than 64 levels");
}

TEST(Yaml, EscapesControlCharactersInItsMessages) {
  expect_error("\"\\e[31m\": 1\n\"\\e[31m\": 2\n", "quick.yaml:2: \\x1b[31m: ", "twice");
}

TEST(LoadYaml, ReadsAFile) {
  const TemporaryFile file("a: 1\n");
  const Value config = load_yaml(file.path());
  EXPECT_EQ(config.flow(), "{a: 1}");
  EXPECT_EQ(config.find("a")->origin().text(), file.path() + ":1");
}

std::string load_error(const std::string& path) {
  try {
    load_yaml(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LoadYaml, GivesTheSystemsReason) {
  EXPECT_EQ(load_error("/nonexistent.yaml"),
            "/nonexistent.yaml: cannot be opened: No such file or directory.");
  EXPECT_EQ(load_error("/tmp"), "/tmp: is a directory. Name the YAML file in it.");
  const TemporaryFile file("");
  EXPECT_EQ(load_error(file.path() + "/x"), file.path() + "/x: cannot be opened: Not a directory.");
}

TEST(LoadYaml, RefusesAFileInWhichNothingIsWritten) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "null\n", "\xEF\xBB\xBF"}) {
    const TemporaryFile file(text);
    EXPECT_EQ(load_error(file.path()),
              file.path() +
                  ": is empty, or has comments only. Write 'key: value' lines, or {} if "
                  "everything is to have its default.")
        << text;
  }
  const TemporaryFile file("{}\n");
  EXPECT_EQ(load_yaml(file.path()), Value(Map{}));
}

TEST(LoadYaml, RefusesAFileWithoutAnEnd) {
  EXPECT_EQ(load_error("/dev/zero"), "/dev/zero: is larger than 16 MiB, too large for a config.");
}

std::string value_error(std::string_view text) {
  try {
    parse_yaml_value(text, Origin{"command line: a=", 0});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseYamlValue, ReadsOneValueOfAnyType) {
  const Origin origin{"command line: a=...", 0};
  EXPECT_EQ(parse_yaml_value("5", origin), Value(5));
  EXPECT_EQ(parse_yaml_value(" a b ", origin), Value("a b"));
  EXPECT_EQ(parse_yaml_value("null", origin), Value());
  EXPECT_EQ(parse_yaml_value("\"\"", origin), Value(""));
  EXPECT_EQ(parse_yaml_value("http://a.b/c", origin), Value("http://a.b/c"));
  const Value map = parse_yaml_value("{name: hybrid, x: [1, {z: 2}]}", origin);
  EXPECT_EQ(map.flow(), "{name: hybrid, x: [1, {z: 2}]}");
  EXPECT_EQ((*map.find("x")->list())[1].find("z")->origin().text(), "command line: a=...");
}

TEST(ParseYamlValue, RefusesNoneAndSeveral) {
  EXPECT_NE(value_error("").find("command line: a=: the value is empty"), std::string::npos);
  EXPECT_NE(value_error("  ").find("the value is empty"), std::string::npos);
  EXPECT_NE(value_error("1, 2").find("2 values where one is expected"), std::string::npos);
  for (const char* text : {"[1", "1]", "1], [2", "{a: 1", "'x", "1]\n---\n[2", "a]: b"}) {
    EXPECT_NE(value_error(text), "no error") << text;
  }
}

}  // namespace
}  // namespace pslab::config
