// Arrays for NumPy, byte by byte.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/npy_writer.hpp"
#include "data_test_files.hpp"

namespace pslab::data {
namespace {

TEST(NpyFiles, HaveADescriptionAndThenTheNumbers) {
  const TempDirectory folder;
  const std::vector<float> values = {1.5F, -2.0F, 0.1F, 0.0F, 1e30F, 7.0F};
  NpyWriter writer(folder.path() + "/a.npy", {3, 2});
  writer.write(std::span(values).first(2));
  writer.write(std::span(values).last(4));
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/a.npy"));  // not before it is complete
  writer.finish();
  const std::string bytes = folder.read("a.npy");
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t begin = 10U + byte(8) + 256U * byte(9);
  EXPECT_EQ(begin % 64, 0U);
  const std::string description = bytes.substr(10, begin - 10);
  EXPECT_EQ(description.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, ), }"), 0U);
  EXPECT_EQ(description.back(), '\n');
  ASSERT_EQ(bytes.size(), begin + 24);
  EXPECT_EQ(std::memcmp(bytes.data() + begin, values.data(), 24), 0);
}

TEST(NpyFiles, HaveAsManyNumbersAsTheirShapeSays) {
  const TempDirectory folder;
  const std::vector<float> values(4, 1.0F);
  NpyWriter less(folder.path() + "/less.npy", {5});
  less.write(values);
  EXPECT_THROW(less.finish(), std::logic_error);
  NpyWriter more(folder.path() + "/more.npy", {3});
  EXPECT_THROW(more.write(values), std::logic_error);
}

}  // namespace
}  // namespace pslab::data
