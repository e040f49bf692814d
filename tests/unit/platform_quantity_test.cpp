// Numbers with units.
#include <gtest/gtest.h>

#include <string>

#include "graph/quantity.hpp"

namespace pslab::graph {
namespace {

double bandwidth(const std::string& text) {
  const Quantity result = parse_quantity(text, Dimension::kBandwidth, 1.0, 1e15);
  EXPECT_EQ(result.problem, "") << text;
  return result.value;
}

double seconds(const std::string& text) {
  const Quantity result = parse_quantity(text, Dimension::kTime, 0.0, 100.0);
  EXPECT_EQ(result.problem, "") << text;
  return result.value;
}

std::string problem(const std::string& text, Dimension dimension) {
  return parse_quantity(text, dimension, 0.0, 1e15).problem;
}

TEST(Quantity, ReadsEveryUnitOfBandwidth) {
  EXPECT_DOUBLE_EQ(bandwidth("7 B/s"), 7.0);
  EXPECT_DOUBLE_EQ(bandwidth("7 kB/s"), 7e3);
  EXPECT_DOUBLE_EQ(bandwidth("7 MB/s"), 7e6);
  EXPECT_DOUBLE_EQ(bandwidth("1.17 GB/s"), 1.17e9);
  EXPECT_DOUBLE_EQ(bandwidth("80 bit/s"), 10.0);
  EXPECT_DOUBLE_EQ(bandwidth("8 kbit/s"), 1e3);
  EXPECT_DOUBLE_EQ(bandwidth("8 Mbit/s"), 1e6);
  EXPECT_DOUBLE_EQ(bandwidth("10 Gbit/s"), 1.25e9);
}

TEST(Quantity, ReadsEveryUnitOfTime) {
  EXPECT_DOUBLE_EQ(seconds("50 ns"), 50e-9);
  EXPECT_DOUBLE_EQ(seconds("0.5 us"), 0.5e-6);
  EXPECT_DOUBLE_EQ(seconds("1e1 ms"), 10e-3);
  EXPECT_DOUBLE_EQ(seconds("2 s"), 2.0);
  EXPECT_DOUBLE_EQ(seconds("0 s"), 0.0);
}

TEST(Quantity, MayHaveNoSpaceBeforeTheUnit) {
  EXPECT_DOUBLE_EQ(seconds("5us"), 5e-6);
  EXPECT_DOUBLE_EQ(bandwidth("10Gbit/s"), 1.25e9);
}

TEST(Quantity, WithoutAUnitOrWithoutANumberIsRefused) {
  EXPECT_NE(problem("5", Dimension::kTime).find("a unit after the number"), std::string::npos);
  EXPECT_NE(problem("5 ", Dimension::kTime).find("a unit after the number"), std::string::npos);
  for (const char* text : {"", "us", "fast", "nan us", "inf us", "1e999 us", " 5 us", "+5 us"}) {
    EXPECT_NE(problem(text, Dimension::kTime).find("a number and a unit"), std::string::npos)
        << text;
  }
}

TEST(Quantity, SuggestsTheUnitThatWasMeantAndNeverBytesForBits) {
  const auto suggests = [](const char* text, Dimension dimension, const std::string& unit) {
    return problem(text, dimension).find("did you mean '" + unit + "'?") != std::string::npos;
  };
  EXPECT_TRUE(suggests("1 Gbps", Dimension::kBandwidth, "Gbit/s"));
  EXPECT_TRUE(suggests("1 Mb/s", Dimension::kBandwidth, "Mbit/s"));
  EXPECT_TRUE(suggests("1 GBps", Dimension::kBandwidth, "GB/s"));
  EXPECT_TRUE(suggests("1 \u00B5s", Dimension::kTime, "us"));
  EXPECT_TRUE(suggests("1 usec", Dimension::kTime, "us"));
  EXPECT_EQ(problem("1 parsec/s", Dimension::kBandwidth).find("did you mean"), std::string::npos);
}

TEST(Quantity, IsCaseSensitive) {
  EXPECT_NE(problem("1 gb/s", Dimension::kBandwidth), "");
  EXPECT_NE(problem("1 MS", Dimension::kTime), "");
}

TEST(Quantity, OutOfRangeIsRefusedWithTheRange) {
  EXPECT_EQ(parse_quantity("2 ms", Dimension::kTime, 0.0, 1e-3).problem, "expected 0 s .. 0.001 s");
  EXPECT_NE(parse_quantity("-1 ns", Dimension::kTime, 0.0, 1.0).problem, "");
  EXPECT_NE(parse_quantity("0 GB/s", Dimension::kBandwidth, 1.0, 1e15).problem, "");
}

}  // namespace
}  // namespace pslab::graph
