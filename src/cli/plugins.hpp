// All plug-ins and options of this build in one form, for list, describe and the defaults file.
#pragma once

#include <string>
#include <vector>

#include "config/options.hpp"

namespace pslab::cli {

struct Plugin {
  std::string kind;      ///< "strategy", "sampling scheme", "workload", "backend"
  std::string selector;  ///< option that chooses it: "strategy.name"
  std::string group;     ///< where its options stand: "strategy"
  std::string name;
  std::string summary;
  std::string source;
  std::vector<config::Declaration> options;
};

/// Kind by kind, each by name.
std::vector<Plugin> all_plugins();

/// Every option of a config with the default plug-ins, in the order of the defaults file.
std::vector<config::Declaration> default_options(const std::string& root);

/// The default as YAML, or "" where it stands for "no limit".
std::string default_text(const config::Declaration& option);

/// "integer, 1 .. 100, default 32, floats"; the parts that a declaration has.
std::string constraints(const config::Declaration& option);

}  // namespace pslab::cli
