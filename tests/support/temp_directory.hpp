// A directory of its own for one test: several test programs may run at the same time.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace pslab::test {

/// Goes away with the object.
class TempDirectory {
 public:
  TempDirectory() {
    std::string pattern = testing::TempDir() + "pslab_test_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "cannot create " << pattern;
    path_ = pattern;
  }
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::string& path() const { return path_; }

  /// The path of `name` in this directory, after writing `contents` to it.
  std::string write(std::string_view name, std::string_view contents) const {
    const std::string path = path_ + "/" + std::string(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << contents;
    return path;
  }

  /// What the file `name` contains.
  std::string read(std::string_view name) const {
    std::ifstream file(path_ + "/" + std::string(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

}  // namespace pslab::test
