// data: the data sets that pslab knows, and what is in a file.

#include "data/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/data_info.hpp"
#include "cli/lists.hpp"
#include "cli/parser.hpp"
#include "data/fetch.hpp"

namespace pslab::cli {
namespace {

struct InfoOptions {
  bool json = false;
  std::string plot;
  std::string kind;
  std::vector<std::string> how;
};

void check(const InfoOptions& options) {
  const std::vector<std::string> kinds = {"", "ratings", "graph", "text"};
  if (std::ranges::find(kinds, options.kind) == kinds.end()) {
    fail_input("pslab data info --kind: expected ratings, graph or text, seen '{}'",
               printable(options.kind));
  }
  if (!options.plot.empty() && !options.plot.ends_with(".png") && !options.plot.ends_with(".pdf")) {
    fail_input("pslab data info --plot: expected a file that ends with .png or .pdf, seen '{}'",
               printable(options.plot));
  }
  if (!options.plot.empty()) check_figure(options.plot);
}

void show_info(const std::string& name, const InfoOptions& options, const std::string& root) {
  check(options);
  const data::Info info = data::info(name, options.kind, options.how);
  if (!options.plot.empty()) draw_skew(info, root, options.plot);
  if (options.json) {
    fmt::print("{}\n", run::to_text(to_json(info), 2));
    return;
  }
  for (const std::string& line : info.lines) fmt::print("{}\n", line);
  if (!info.assumed.empty()) fmt::print("{}\n", info.assumed);
  if (!info.description) return;
  for (const std::string& line : data::text_of(*info.description)) fmt::print("{}\n", line);
}

/// Refuses what is given beside `known`.
void refuse_others(const CLI::App& app, const std::string& action,
                   const std::vector<std::string>& known) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || std::ranges::find(known, option->get_name()) != known.end())
      continue;
    fail_input("pslab data {}: unexpected {}", action,
               option->get_positional()
                   ? fmt::format("argument '{}'", printable(option->results()[0]))
                   : fmt::format("option {}", option->get_name()));
  }
}

}  // namespace

int data_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app(
      "Data sets to train on.\n"
      "  list              all sets that pslab can fetch\n"
      "  info NAME|PATH    a set, or a file or folder of ratings, triples or text: licence, size,\n"
      "                    skew, what was skipped or merged\n"
      "  fetch NAME        bring a set onto this computer ('run' does it too)",
      "pslab data");
  std::string action;
  std::string name;
  app.add_option("ACTION", action, "list, info or fetch")->required();
  app.add_option("NAME", name, "data set, file or folder");
  InfoOptions options;
  app.add_option("option=value", options.how,
                 "info: how a file or folder is read: options of a config's 'dataset' map, as in "
                 "skip_lines=1, min_count=1 or test=FILE");
  app.add_flag("--json", options.json, "list, info: as JSON, with the curve of shares over ranks");
  app.add_option(
      "--plot", options.plot,
      "info: draw that curve to this .png or .pdf file, direct accesses against samples");
  app.add_option("--kind", options.kind,
                 "info: what a file or folder holds: ratings, graph or text (default: guessed)");
  if (!parse(app, arguments)) return kSuccess;

  const std::vector<std::string> actions = {"list", "info", "fetch"};
  if (action == "list") {
    refuse_others(app, action, {"ACTION", "--json"});
    fmt::print("{}", options.json ? run::to_text(dataset_list_json(), 2) + "\n" : dataset_list());
    return kSuccess;
  }
  if (action != "info" && action != "fetch") {
    fail_input("pslab data: unknown action '{}'.{} Actions: {}.", printable(action),
               did_you_mean(action, actions), join(actions, ", "));
  }
  if (name.empty())
    fail_input("pslab data {}: name a data set; pslab data list shows them", action);
  if (action == "info") {
    show_info(name, options, environment.root);
    return kSuccess;
  }
  refuse_others(app, action, {"ACTION", "NAME"});
  const std::string folder =
      data::fetch(data::find_dataset(name), environment.root,
                  [](const std::string& text) { fmt::print(stderr, "{}\n", text); });
  fmt::print("{}\n", folder);
  return kSuccess;
}

}  // namespace pslab::cli
