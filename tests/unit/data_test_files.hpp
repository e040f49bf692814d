// Files for the tests of src/data: the committed ones, and temporary ones that go away by
// themselves.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "tests/support/temp_directory.hpp"

namespace pslab::data {

inline std::string project_root() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().string();
}

inline std::string ratings_file(std::string_view name) {
  return project_root() + "/tests/data/ratings/" + std::string(name);
}

using test::TempDirectory;

/// The text of the InputError that `action` throws; a test failure and "" if it throws none.
template <typename Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted, but should be refused";
  return "";
}

/// Whether `text` contains each of `parts`; says which part is missing.
inline testing::AssertionResult has(std::string_view text,
                                    std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) == std::string_view::npos) {
      return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace pslab::data
