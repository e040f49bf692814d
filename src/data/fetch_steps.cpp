#include "data/fetch_steps.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace pslab::data {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::string last_lines(std::string output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == ' ')) output.pop_back();
  std::size_t begin = output.size();
  for (int lines = 0; lines < 3 && begin != std::string::npos && begin > 0; ++lines) {
    begin = output.rfind('\n', begin - 1);
  }
  return begin == std::string::npos || begin == 0 ? output : output.substr(begin + 1);
}

ProgramResult FetchSteps::try_run(const std::vector<std::string>& command) const {
  return run_program(command, work_, work_ / "log");
}

std::string FetchSteps::run(std::string_view step, const std::vector<std::string>& command,
                            std::string_view advice) const {
  const ProgramResult result = try_run(command);
  require(result, step, advice);
  return result.output;
}

void FetchSteps::require(const ProgramResult& result, std::string_view step,
                         std::string_view advice) const {
  if (result.succeeded()) return;
  if (!result.found) {
    fail(step, "there is no such program",
         "Sets are fetched on Debian and its relatives, with apt-get, dpkg-deb and python3, some "
         "with npm and tar too");
  }
  if (result.signal != 0) {
    fail(step, fmt::format("ended by signal {}", result.signal), "Run the same command again");
  }
  const std::string reason = last_lines(result.output);
  const bool no_room = contains(reason, "No space left") || contains(reason, "Permission denied");
  fail(step, reason, no_room ? kPlace : advice);
}

void FetchSteps::fail(std::string_view step, std::string_view reason,
                      std::string_view advice) const {
  fail_input(
      "cannot fetch the data set {}: {}: {}.{}{} The configs in configs/smoke/ need no fetched "
      "data.",
      set_, step, reason, advice.empty() ? "" : " ",
      advice.empty() ? "" : fmt::format("{}.", advice));
}

}  // namespace pslab::data
