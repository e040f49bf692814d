#include "cli/defaults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/plugins.hpp"
#include "cli/text_table.hpp"

namespace pslab::cli {
namespace {

constexpr std::size_t kWidth = 100;

constexpr const char* kHead =
    R"(# Every option with its default. Generated: pslab describe --defaults > configs/defaults.yaml
#
# An experiment's file says only what differs from this. Over each option: what it is for (its type,
# what is allowed, its unit). Options of plug-ins that are not the default are comments.
)";

// An empty sweep would be refused.
constexpr const char* kSweep =
    R"(# sweep:
#   strategy: [{name: static}, {name: relocation}]
#   zip: {cluster.nodes: [1, 8], cluster.workers_per_node: [8, 1]}
)";

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

class Writer {
 public:
  /// `prefix` begins each line: "" or "# ".
  void option(const config::Declaration& option, std::size_t depth, const std::string& prefix) {
    const std::string indent = std::string(2 * depth, ' ') + prefix;
    if (depth == 0 && prefix.empty()) text_ += "\n";
    const bool plain = option.type == "group" || option.type == "list";
    comment(plain ? option.help : fmt::format("{} ({})", option.help, limits(option)), indent);
    const std::string name = last_part(option.path);
    if (option.path == "sweep") {
      text_ += kSweep;
      return;
    }
    const std::string initial = default_text(option);
    text_ += initial.empty() && !plain ? fmt::format("{}{}:  # no limit\n", indent, name)
             : option.type == "group"  ? fmt::format("{}{}:\n", indent, name)
                                       : fmt::format("{}{}: {}\n", indent, name, initial);
  }
  void comment(const std::string& text, const std::string& indent) {
    text_ += indent + wrapped("# " + text, kWidth - indent.size(), indent + "# ") + "\n";
  }
  void blank() { text_ += "\n"; }
  const std::string& text() const { return text_; }

 private:
  // The default stands on the line below.
  static std::string limits(const config::Declaration& option) {
    const std::string all = constraints(option);
    const std::size_t begin = all.find(", default ");
    const std::size_t end = all.find(", changes the speed only");
    return all.substr(0, begin) + (end == std::string::npos ? "" : all.substr(end));
  }

  std::string text_ = kHead;
};

std::size_t depth_of(const std::string& path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

/// Options of the plug-ins in `group` that are not the default, as comments.
void write_others(Writer& writer, const std::vector<Plugin>& plugins, const std::string& group,
                  const std::string& chosen) {
  for (const Plugin& plugin : plugins) {
    const bool here = plugin.group == group && plugin.kind != "backend";
    if (!here || plugin.name == chosen || plugin.options.empty()) continue;
    writer.blank();
    writer.comment(
        fmt::format("With {} {}: {}", last_part(plugin.selector), plugin.name, plugin.summary),
        "  ");
    for (const config::Declaration& option : plugin.options) {
      writer.option(option, depth_of(option.path), "# ");
    }
  }
}

}  // namespace

std::string defaults_file(const std::string& root) {
  const std::vector<Plugin> plugins = all_plugins();
  const std::vector<config::Declaration> options = default_options(root);
  Writer writer;
  std::string chosen;  // the plug-in of the present group
  for (std::size_t i = 0; i < options.size(); ++i) {
    const config::Declaration& option = options[i];
    for (const Plugin& plugin : plugins) {
      if (plugin.selector == option.path) chosen = option.initial;
    }
    const bool element = option.path.find("[]") != std::string::npos;
    writer.option(option, depth_of(option.path), element ? "# " : "");
    const std::string top = option.path.substr(0, option.path.find('.'));
    const bool last = i + 1 == options.size() ||
                      options[i + 1].path.substr(0, options[i + 1].path.find('.')) != top;
    if (last) write_others(writer, plugins, top, chosen);
  }
  return writer.text();
}

}  // namespace pslab::cli
