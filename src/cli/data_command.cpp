// data: the data sets that pslab knows, and what is in a file.

#include "data/catalog.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/lists.hpp"
#include "cli/parser.hpp"
#include "data/fetch.hpp"

namespace pslab::cli {

int data_command(const Environment& environment, const Arguments& arguments) {
  CLI::App app(
      "Data sets to train on.\n"
      "  list              all sets that pslab can fetch\n"
      "  info NAME|FILE    a set or a file of ratings: licence, size, skew\n"
      "  fetch NAME        bring a set onto this computer ('run' does it too)",
      "pslab data");
  std::string action;
  std::string name;
  app.add_option("ACTION", action, "list, info or fetch")->required();
  app.add_option("NAME", name, "data set or file");
  if (!parse(app, arguments)) return kSuccess;

  const std::vector<std::string> actions = {"list", "info", "fetch"};
  if (action == "list") {
    if (!name.empty()) fail_input("pslab data list: unexpected argument '{}'", printable(name));
    fmt::print("{}", dataset_list());
    return kSuccess;
  }
  if (action != "info" && action != "fetch") {
    fail_input("pslab data: unknown action '{}'.{} Actions: {}.", printable(action),
               did_you_mean(action, actions), join(actions, ", "));
  }
  if (name.empty())
    fail_input("pslab data {}: name a data set; pslab data list shows them", action);
  if (action == "info") {
    for (const std::string& line : data::info(name)) fmt::print("{}\n", line);
    return kSuccess;
  }
  const std::string folder =
      data::fetch(data::find_dataset(name), environment.root,
                  [](const std::string& text) { fmt::print(stderr, "{}\n", text); });
  fmt::print("{}\n", folder);
  return kSuccess;
}

}  // namespace pslab::cli
