// The program `pslab`: finds the command and turns exceptions into messages and exit codes.

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "run/environment.hpp"
#include "run/run_body.hpp"

namespace pslab::cli {
namespace {

struct Command {
  const char* name;
  const char* usage;
  const char* help;
  int (*run)(const Environment&, const Arguments&);
};

constexpr Command kCommands[] = {
    {"run", "FILE [key=value ...]", "run an experiment: all runs of its sweep", run_command},
    {"check", "FILE [key=value ...]", "check a config, and show what it would run", check_command},
    {"resume", "DIR [key=value ...]", "go on with an interrupted experiment", resume_command},
    {"export", "RUN", "write the trained model of a run to files", export_command},
    {"list", "[KIND]", "what there is: strategies, workloads, platforms, ...", list_command},
    {"describe", "NAME", "a strategy, workload, platform, data set, option, ...", describe_command},
    {"data", "list | info NAME | fetch NAME", "data sets to train on", data_command},
    {"plot", "DIR", "draw the figures of an experiment", plot_command},
    {"compare", "RUN...", "compare configurations, with statistics", compare_command},
};

void print_help() {
  fmt::print(
      "pslab: a testbed for parameter management in distributed training.\n\n"
      "usage: pslab COMMAND [arguments]\n\n");
  for (const Command& command : kCommands) {
    fmt::print("  {:<40} {}\n", fmt::format("{} {}", command.name, command.usage), command.help);
  }
  fmt::print(
      "\n"
      "  pslab COMMAND --help                     its options\n"
      "  pslab --version\n\n"
      "Start with:  ./pslab run configs/quickstart.yaml\n"
      "The script ./pslab also has:  ./pslab build [PRESET]  and  ./pslab test [CTEST ARGUMENTS]\n"
      "Exit codes: 0 done, 1 a run failed, 2 bad input or usage, 130 interrupted.\n");
}

// The script says where the project is; without it, the place where it was built.
std::string find_root() {
  const char* given = std::getenv("PSLAB_ROOT");
  return given != nullptr && *given != '\0' ? given : PSLAB_SOURCE_ROOT;
}

// The script says how the user called it.
std::string program_as_typed() {
  const char* given = std::getenv("PSLAB_COMMAND");
  return given != nullptr && *given != '\0' ? given : "pslab";
}

void print_version(const std::string& root) {
  const std::string slow = run::slow_build();
  fmt::print("pslab {} (commit {}{})\n", PSLAB_VERSION, run::commit_of(root),
             slow.empty() ? "" : ", " + slow);
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) return command;
    names.push_back(command.name);
  }
  fail_input("unknown command '{}'.{} Commands: {}. See: pslab --help", printable(name),
             did_you_mean(name, names), join(names, ", "));
}

int dispatch(const Arguments& arguments) {
  const std::string root = find_root();
  if (arguments.empty()) {
    print_help();
    return kBadInput;
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    print_help();
    return kSuccess;
  }
  if (first == "--version") {
    print_version(root);
    return kSuccess;
  }
  if (first.starts_with('-')) {
    fail_input("unknown option '{}'; a command comes first. See: pslab --help", printable(first));
  }
  if (first == "rank" && (arguments.size() == 2 || arguments.size() == 4)) {
    run::be_launched_run({arguments.begin() + 1, arguments.end()}, root);
  }
  std::string command_line = "pslab";
  for (const std::string& argument : arguments) command_line += " " + shell_quoted(argument);
  const Environment environment{root, command_line, program_as_typed()};
  return find_command(first).run(environment, {arguments.begin() + 1, arguments.end()});
}

// The first file that is opened takes the number of a stream that was closed by whoever started
// this program; what is meant for the stream would go into that file.
void occupy_standard_streams() {
  // Standard output cannot be written then: that is an error, which is told where a command ends.
  constexpr int kModes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", kModes[stream]);
  }
}

int fail(const char* what, const std::exception& error, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", what, error.what());  // throws nothing
  return code;
}

int fail_output() {
  std::fputs("error: cannot write to standard output\n", stderr);
  return kRunFailed;
}

int fail_memory() {
  std::fputs(
      "error: there is not enough memory. Make the data or the model smaller, raise the limit "
      "('ulimit -v'), or use a larger machine\n",
      stderr);
  return kRunFailed;
}

}  // namespace
}  // namespace pslab::cli

int main(int argc, char** argv) {
  using namespace pslab;
  cli::occupy_standard_streams();
  try {
    const int code = cli::dispatch({argv + 1, argv + argc});
    // What a command has flushed itself leaves only the mark of the error.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return cli::fail_output();
    return code;
  } catch (const InputError& error) {
    return cli::fail("error", error, cli::kBadInput);
  } catch (const RunError& error) {
    return cli::fail("error", error, cli::kRunFailed);
  } catch (const std::bad_alloc&) {
    return cli::fail_memory();
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return cli::fail_output();
    return cli::fail("internal error, please report it", error, cli::kRunFailed);
  }
}
