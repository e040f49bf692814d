#include "config/value.hpp"

#include <gtest/gtest.h>

#include "config/yaml.hpp"

namespace pslab::config {
namespace {

TEST(Value, TakesItsTypeFromTheLiteral) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_EQ(*Value(true).boolean(), true);
  EXPECT_EQ(*Value(5).integer(), 5);
  EXPECT_EQ(*Value(std::size_t{5}).integer(), 5);
  EXPECT_EQ(*Value(0.5F).real(), 0.5);
  EXPECT_EQ(*Value("abc").text(), "abc");
  EXPECT_EQ(*Value(std::string_view("abc")).text(), "abc");
  EXPECT_EQ(Value(List{Value(1)}).list()->size(), 1U);
  EXPECT_EQ(Value(Map{{"a", Value(1)}}).map()->size(), 1U);
  EXPECT_THROW(Value(~std::uint64_t{0}), std::out_of_range);
}

TEST(Value, HasOnlyTheTypeItHas) {
  EXPECT_EQ(Value(5).real(), nullptr);
  EXPECT_EQ(Value(5.0).integer(), nullptr);
  EXPECT_EQ(Value(1).boolean(), nullptr);
  EXPECT_NE(Value(5), Value(5.0));
}

TEST(Value, FindsMembersOfMapsOnly) {
  Value map(Map{{"a", Value(1)}, {"b", Value(2)}});
  EXPECT_EQ(*map.find("b"), Value(2));
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(Value("a").find("a"), nullptr);
  *map.find("a") = Value(7);
  EXPECT_EQ(*map.find("a"), Value(7));
}

TEST(Value, IgnoresTheOriginInComparisons) {
  EXPECT_EQ(Value(5, Origin{"a.yaml", 1}), Value(5, Origin{"b.yaml", 2}));
}

TEST(Origin, NamesFileAndLine) {
  EXPECT_EQ((Origin{"quick.yaml", 7}).text(), "quick.yaml:7");
  EXPECT_EQ((Origin{"command line: a=1", 0}).text(), "command line: a=1");
  EXPECT_EQ(Origin{}.text(), "default");
}

TEST(Value, DescribesItselfForMessages) {
  EXPECT_EQ(Value(3).describe(), "the integer 3");
  EXPECT_EQ(Value(0.1).describe(), "the real 0.1");
  EXPECT_EQ(Value(true).describe(), "the flag true");
  EXPECT_EQ(Value("abc").describe(), "the text 'abc'");
  EXPECT_EQ(Value(List{}).describe(), "a list");
  EXPECT_EQ(Value(Map{}).describe(), "a map");
  EXPECT_EQ(Value().describe(), "nothing (null)");
}

TEST(Value, DescribesTextWithoutFloodingOrControllingTheTerminal) {
  EXPECT_EQ(Value("\x1b[31m").describe(), "the text '\\x1b[31m'");
  const std::string description = Value(std::string(100'000, 'x')).describe();
  EXPECT_LT(description.size(), 100U);
  EXPECT_NE(description.find("..."), std::string::npos);
}

TEST(Value, WritesFlowStyle) {
  const Value value(Map{{"name", Value("hybrid")},
                        {"rate", Value(25.0)},
                        {"nodes", Value(List{Value(1), Value(2)})},
                        {"none", Value()},
                        {"on", Value("on")},
                        {"five", Value("5")}});
  EXPECT_EQ(value.flow(),
            "{name: hybrid, rate: 25.0, nodes: [1, 2], none: null, \"on\": \"on\", five: \"5\"}");
}

// What both ways of writing must keep.
std::vector<Value> awkward_values() {
  std::vector<Value> values = {Value(),
                               Value(true),
                               Value(-3),
                               Value(INT64_MIN),
                               Value(INT64_MAX),
                               Value(25.0),
                               Value(1e300),
                               Value(5e-324),
                               Value(-0.5),
                               Value(1e22),
                               Value(List{}),
                               Value(Map{}),
                               Value(List{Value(List{Value(Map{})})})};
  for (const char* text : {"",
                           " ",
                           "abc",
                           "a b",
                           " a",
                           "a ",
                           "true",
                           "True",
                           "no",
                           "y",
                           "null",
                           "~",
                           "5",
                           "-5",
                           "+5",
                           "010",
                           "0x1F",
                           "1_000",
                           "1e3",
                           ".5",
                           "5.",
                           ".nan",
                           "-.inf",
                           "a: b",
                           "a:",
                           ":a",
                           "a #b",
                           "#a",
                           "- a",
                           "-",
                           "?",
                           "[a]",
                           "{a}",
                           "a, b",
                           "'a'",
                           "\"a\"",
                           "it's",
                           "a\\b",
                           "a\nb",
                           "a\n",
                           "\t",
                           "a\rb",
                           "\x01\x04\x7f",
                           "caf\u00e9",
                           "\U0001F600",
                           "&a",
                           "*a",
                           "!a",
                           "%a",
                           "@a",
                           "`a",
                           "|",
                           ">",
                           "---",
                           "...",
                           "<<",
                           "=",
                           "2024-01-01",
                           "10:30",
                           "/data/x.tsv",
                           "../x",
                           "http://a.b/c?d=e#f"}) {
    values.emplace_back(text);
  }
  values.emplace_back(std::string("a\0b", 3));
  values.emplace_back(std::string(5000, 'x'));
  return values;
}

TEST(Value, ReadsBackFromFlowStyle) {
  for (const Value& value : awkward_values()) {
    EXPECT_EQ(parse_yaml_value(value.flow(), Origin{"t", 0}), value) << value.flow();
    const Value nested(Map{{"a", Value(List{value, value})}});
    EXPECT_EQ(parse_yaml_value(nested.flow(), Origin{"t", 0}), nested) << nested.flow();
  }
}

TEST(DumpYaml, WritesBlockStyle) {
  const Value value(Map{
      {"seed", Value(1)},
      {"workload", Value(Map{{"name", Value("kge")}, {"dims", Value(List{Value(1), Value(2)})}})},
      {"strategies",
       Value(List{Value(Map{{"name", Value("static")}, {"rate", Value(0.5)}}), Value(Map{})})},
      {"empty", Value(Map{})}});
  EXPECT_EQ(dump_yaml(value),
            "seed: 1\n"
            "workload:\n"
            "  name: kge\n"
            "  dims: [1, 2]\n"
            "strategies:\n"
            "  - name: static\n"
            "    rate: 0.5\n"
            "  - {}\n"
            "empty: {}\n");
}

TEST(DumpYaml, ReadsBackToAnEqualValue) {
  for (const Value& value : awkward_values()) {
    Map members{{"one", value},
                {"list", Value(List{value, Value(List{value, value})})},
                {"map", Value(Map{{"x", value}, {"y", Value(List{Value(Map{{"z", value}})})}})}};
    if (value.text() && value.text()->size() < 1000 && !value.text()->empty() &&
        *value.text() != "<<") {
      members.emplace_back(*value.text(), Value(1));
    }
    const std::string text = dump_yaml(Value(members));
    EXPECT_EQ(parse_yaml(text, "t"), Value(members)) << text;
  }
  EXPECT_EQ(parse_yaml(dump_yaml(Value(Map{})), "t"), Value(Map{}));
}

TEST(DumpYaml, BreaksALongListOfScalars) {
  List numbers;
  for (int i = 0; i < 100; ++i) numbers.emplace_back(i);
  const Value value(Map{{"numbers", Value(numbers)}});
  EXPECT_NE(dump_yaml(value).find("numbers:\n  - 0\n  - 1\n"), std::string::npos);
  EXPECT_EQ(parse_yaml(dump_yaml(value), "t"), value);
}

}  // namespace
}  // namespace pslab::config
