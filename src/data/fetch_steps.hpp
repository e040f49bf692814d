// The programs that make a data set: how they are run, and what is said when one fails.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/program.hpp"

namespace pslab::data {

/// Gets one sentence for the user at a time.
using Say = std::function<void(const std::string&)>;

/// Advice where there may be no room.
inline constexpr std::string_view kPlace =
    "Free some space, or set PSLAB_DATA to a directory you can write to";

class FetchSteps {
 public:
  /// Programs run in `work`, whose files they make.
  FetchSteps(std::string set, std::filesystem::path work, const Say& say)
      : set_(std::move(set)), work_(std::move(work)), say_(say) {}

  const std::filesystem::path& work() const { return work_; }
  void tell(const std::string& text) const {
    if (say_) say_(text);
  }

  /// Runs a program that may fail.
  ProgramResult try_run(const std::vector<std::string>& command) const;
  /// Runs a program and returns what it wrote. InputError if it fails, with `step` and `advice`.
  std::string run(std::string_view step, const std::vector<std::string>& command,
                  std::string_view advice = "") const;
  void require(const ProgramResult& result, std::string_view step, std::string_view advice) const;
  [[noreturn]] void fail(std::string_view step, std::string_view reason,
                         std::string_view advice) const;

 private:
  std::string set_;
  std::filesystem::path work_;
  const Say& say_;
};

/// The lines of a program's output that say what went wrong: the last three.
std::string last_lines(std::string output);

}  // namespace pslab::data
