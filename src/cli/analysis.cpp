#include "cli/analysis.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "data/program.hpp"

namespace pslab::cli {
namespace {

// The Python that CMake found to have matplotlib; the user knows better.
std::string python() {
  const char* given = std::getenv("PSLAB_PYTHON");
  return given != nullptr && *given != '\0' ? given : PSLAB_PYTHON;
}

constexpr const char* kAdvice = "Set PSLAB_PYTHON to a Python 3 that has matplotlib";

}  // namespace

void become_analysis(const std::string& root, const std::vector<std::string>& arguments) {
  const char* path = std::getenv("PYTHONPATH");
  const std::string modules = path == nullptr ? root : root + ":" + path;
  ::setenv("PYTHONPATH", modules.c_str(), 1);
  ::setenv("PYTHONSAFEPATH", "1", 1);  // a folder `analysis` of the user's is not meant
  std::vector<std::string> command = {python(), "-m", "analysis"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(argv[0], argv.data());
  fail_input("cannot start {}: {}. {}.", command[0], std::strerror(errno), kAdvice);
}

Figures run_analysis(const std::string& root, const std::vector<std::string>& arguments,
                     const std::string& log) {
  std::vector<std::string> command = {python(), "-m", "analysis"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Figures figures;
  const data::ProgramResult result = data::run_program(command, root, log);
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  figures.drawn = result.succeeded();
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) figures.output.push_back(line);
  if (!result.found) {
    figures.output.push_back("there is no program " + python() + ". " + kAdvice + ".");
  }
  return figures;
}

Figures draw_figures(const std::string& root, const std::filesystem::path& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return run_analysis(root, {"plot", whole}, whole / ".figures.log");
}

int plot_command(const Environment& environment, const Arguments& arguments) {
  Arguments all = {"plot"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  become_analysis(environment.root, all);
}

int compare_command(const Environment& environment, const Arguments& arguments) {
  Arguments all = {"compare"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  become_analysis(environment.root, all);
}

}  // namespace pslab::cli
