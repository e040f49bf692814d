// describe: all that is known of one name.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/defaults.hpp"
#include "cli/parser.hpp"
#include "cli/plugins.hpp"
#include "cli/text_table.hpp"
#include "data/info.hpp"
#include "graph/platform.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::cli {
namespace {

constexpr std::size_t kWidth = 100;

void print_option(const config::Declaration& option, const std::string& note) {
  fmt::print("  {}: {}\n", option.path, constraints(option));
  fmt::print("      {}{}\n", wrapped(option.help, kWidth - 6, "      "), note);
}

void print_plugin(const Plugin& plugin) {
  fmt::print("{} {}: {}\n", plugin.kind, plugin.name, plugin.summary);
  if (!plugin.source.empty()) fmt::print("from: {}\n", plugin.source);
  const bool by_name = plugin.kind != "backend";
  fmt::print("choose it with: {}={}\n", plugin.selector, plugin.name);
  if (plugin.options.empty()) {
    fmt::print("no options\n");
    return;
  }
  fmt::print("options{}:\n", by_name ? "" : fmt::format(" (group '{}')", plugin.group));
  for (const config::Declaration& option : plugin.options) print_option(option, "");
}

void print_platform(const std::string& name, const std::string& description,
                    const std::string& root) {
  const graph::Platform platform = graph::Platform::load(name, 2, root);
  fmt::print("platform {}: {}\nchoose it with: cluster.platform={}\n", name, description, name);
  fmt::print("between the first two nodes: {:.3g} GB/s, {} latency\n",
             platform.bandwidth(0, 1) / 1e9, human_seconds(platform.latency(0, 1)));
  fmt::print("within a node: {:.3g} GB/s, {} latency\n", platform.loopback().bandwidth / 1e9,
             human_seconds(platform.loopback().latency));
  const CostTable& costs = platform.costs();
  fmt::print("costs:\n");
  const std::vector<std::pair<const char*, double>> all = {
      {"step", costs.step},
      {"flop", costs.flop},
      {"local_access", costs.local_access},
      {"local_byte", costs.local_byte},
      {"send_message", costs.send_message},
      {"receive_message", costs.receive_message},
      {"message_byte", costs.message_byte},
      {"message_key", costs.message_key}};
  for (const auto& [cost, seconds] : all) {
    fmt::print("  {:<16} {:.3g} ns\n", cost, seconds * 1e9);
  }
  fmt::print("The file configs/platforms/{}.yaml says where its numbers come from.\n", name);
}

bool describe_plugin(const std::string& name) {
  bool found = false;
  for (const Plugin& plugin : all_plugins()) {
    if (plugin.name != name) continue;
    if (found) fmt::print("\n");
    print_plugin(plugin);
    found = true;
  }
  for (const run::MissingBackend& missing : run::missing_backends()) {
    if (missing.name != name) continue;
    fmt::print("backend {}: not part of this build. {}\n", missing.name, missing.advice);
    found = true;
  }
  return found;
}

bool describe_other(const std::string& name, const std::string& root) {
  for (const auto& [platform, description] : graph::list_platforms(root)) {
    if (platform != name) continue;
    print_platform(platform, description, root);
    return true;
  }
  if (!data::is_dataset(name)) return false;
  for (const std::string& line : data::info(name).lines) fmt::print("{}\n", line);
  return true;
}

struct Option {
  config::Declaration declared;
  std::string note;  ///< which plug-in has it
};

/// Options of everything; those of plug-ins say whose they are.
std::vector<Option> all_options(const std::string& root) {
  std::vector<Option> all;
  std::set<std::string> of_plugins;
  for (const Plugin& plugin : all_plugins()) {
    for (const config::Declaration& option : plugin.options) {
      all.push_back({option, fmt::format(" ({} {})", plugin.kind, plugin.name)});
      of_plugins.insert(option.path);
    }
  }
  std::vector<Option> general;
  for (const config::Declaration& option : default_options(root)) {
    if (!of_plugins.contains(option.path)) general.push_back({option, ""});
  }
  all.insert(all.begin(), general.begin(), general.end());
  return all;
}

/// A path, with all that is in it, or else the last part of paths.
bool describe_option(const std::string& name, const std::vector<Option>& options) {
  std::vector<const Option*> found;
  for (const Option& option : options) {
    const std::string& path = option.declared.path;
    const bool inside =
        path.starts_with(name) && (path[name.size()] == '.' || path[name.size()] == '[');
    if (path == name || inside) found.push_back(&option);
  }
  for (const Option& option : options) {
    if (found.empty() || found.front()->declared.path != name) {
      if (option.declared.path.ends_with("." + name)) found.push_back(&option);
    }
  }
  for (const Option* option : found) print_option(option->declared, option->note);
  return !found.empty();
}

std::vector<std::string> all_names(const std::vector<Option>& options, const std::string& root) {
  std::set<std::string> names;
  for (const Plugin& plugin : all_plugins()) names.insert(plugin.name);
  for (const run::MissingBackend& missing : run::missing_backends()) names.insert(missing.name);
  for (const auto& [platform, description] : graph::list_platforms(root)) names.insert(platform);
  for (const data::CatalogEntry& entry : data::catalog()) names.insert(entry.name);
  for (const Option& option : options) {
    names.insert(option.declared.path);
    names.insert(option.declared.path.substr(option.declared.path.rfind('.') + 1));
  }
  return {names.begin(), names.end()};
}

}  // namespace

int describe_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app(
      "Describes a strategy, sampling scheme, workload, backend, platform or data set by name, or\n"
      "an option by its path in a config (cluster, workload.rank).",
      "pslab describe");
  std::string name;
  bool defaults = false;
  app.add_option("NAME", name, "what to describe");
  app.add_flag("--defaults", defaults, "print the file of all defaults, configs/defaults.yaml");
  if (!parse(app, arguments)) return kSuccess;
  if (defaults) {
    fmt::print("{}", defaults_file(environment.root));
    return kSuccess;
  }
  if (name.empty()) fail_input("pslab describe: NAME is required. 'pslab list' shows names.");
  if (describe_plugin(name) || describe_other(name, environment.root)) return kSuccess;
  const std::vector<Option> options = all_options(environment.root);
  if (describe_option(name, options)) return kSuccess;
  fail_input("nothing is called '{}'.{} 'pslab list' shows names; options are dotted paths.",
             printable(name), did_you_mean(name, all_names(options, environment.root)));
}

}  // namespace pslab::cli
