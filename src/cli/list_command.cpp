// list: the names that configs and commands take.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/lists.hpp"
#include "cli/parser.hpp"
#include "cli/plugins.hpp"
#include "cli/text_table.hpp"
#include "data/catalog.hpp"
#include "graph/platform.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::cli {
namespace {

namespace fs = std::filesystem;

using Rows = std::vector<std::vector<std::string>>;

std::string table(const Rows& rows) {
  return text_table(rows, {Align::kLeft});
}

/// What the first comment of a config says.
std::string first_comment(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::size_t begin = line.find_first_not_of("# ");
  return line.starts_with('#') && begin != std::string::npos ? line.substr(begin) : "";
}

struct Kind {
  const char* name;
  std::function<std::string()> list;
};

}  // namespace

std::string plugin_list(const std::string& kind) {
  Rows rows;
  for (const Plugin& plugin : all_plugins()) {
    if (plugin.kind == kind) rows.push_back({plugin.name, plugin.summary, plugin.source});
  }
  if (kind == "backend") {
    for (const run::MissingBackend& missing : run::missing_backends()) {
      rows.push_back({missing.name, "not part of this build. " + missing.advice, ""});
    }
  }
  return table(rows);
}

std::string dataset_list() {
  Rows rows;
  for (const data::CatalogEntry& entry : data::catalog()) {
    const bool here = fs::exists(data::dataset_directory(entry));
    rows.push_back({entry.name, here ? "fetched" : "not fetched", data::task_of(entry.kind),
                    entry.description.substr(0, entry.description.find(';'))});
  }
  return table(rows);
}

std::string platform_list(const std::string& root) {
  Rows rows;
  for (const auto& [name, description] : graph::list_platforms(root)) {
    rows.push_back({name, description});
  }
  return table(rows);
}

std::string config_list(const std::string& root) {
  Rows rows;
  const fs::path configs = fs::path(root) / "configs";
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(configs, error)) {
    const fs::path& path = entry.path();
    const bool is_platform = path.parent_path().filename() == "platforms";
    if (path.extension() != ".yaml" || is_platform || path.filename() == "defaults.yaml") continue;
    rows.push_back({fs::relative(path, root).string(), first_comment(path)});
  }
  std::sort(rows.begin(), rows.end());
  return table(rows);
}

int list_command(const Environment& environment, const Arguments& arguments) {
  const std::string& root = environment.root;
  const std::vector<Kind> kinds = {
      {"strategies", [] { return plugin_list("strategy"); }},
      {"schemes", [] { return plugin_list("sampling scheme"); }},
      {"workloads", [] { return plugin_list("workload"); }},
      {"backends", [] { return plugin_list("backend"); }},
      {"platforms", [&root] { return platform_list(root); }},
      {"datasets", [] { return dataset_list(); }},
      {"configs", [&root] { return config_list(root); }},
  };
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);

  CLI::App app("Lists names, with a line about each; 'pslab describe NAME' says more.",
               "pslab list");
  std::string wanted;
  app.add_option("KIND", wanted, "one of " + join(names, ", ") + " (default: all)");
  if (!parse(app, arguments)) return kSuccess;
  if (!wanted.empty() && std::find(names.begin(), names.end(), wanted) == names.end()) {
    fail_input("pslab list: unknown kind '{}'.{} Kinds: {}.", printable(wanted),
               did_you_mean(wanted, names), join(names, ", "));
  }
  bool first = true;
  for (const Kind& kind : kinds) {
    if (!wanted.empty() && wanted != kind.name) continue;
    if (wanted.empty()) fmt::print("{}{}:\n", first ? "" : "\n", kind.name);
    first = false;
    fmt::print("{}", kind.list());
  }
  return kSuccess;
}

}  // namespace pslab::cli
