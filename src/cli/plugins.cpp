#include "cli/plugins.hpp"

#include <fmt/format.h>

#include <limits>

#include "api/backend.hpp"
#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "api/strategy.hpp"
#include "api/workload.hpp"
#include "base/text.hpp"
#include "run/experiment.hpp"

namespace pslab::cli {
namespace {

/// `group`: "" means that each plug-in has a group of its own name.
template <typename Interface>
void add_plugins(const std::string& kind, const std::string& selector, const std::string& group,
                 std::vector<Plugin>& all) {
  const auto& registry = Registry<Interface>::instance();
  for (const std::string& name : registry.names()) {
    const auto& entry = registry.find(name, kind, "");
    const std::string path = group.empty() ? name : group;
    config::Options options(nullptr, path, config::Mode::kDescribe);
    entry.make(options);
    all.push_back(
        {kind, selector, path, name, entry.summary, entry.source, options.declarations()});
  }
}

}  // namespace

std::vector<Plugin> all_plugins() {
  std::vector<Plugin> all;
  add_plugins<Strategy>("strategy", "strategy.name", "strategy", all);
  add_plugins<SamplingScheme>("sampling scheme", "sampling.scheme", "sampling", all);
  add_plugins<Workload>("workload", "workload.name", "workload", all);
  add_plugins<Backend>("backend", "backend", "", all);
  return all;
}

std::vector<config::Declaration> default_options(const std::string& root) {
  return run::Experiment(config::Value(), root, config::Mode::kDescribe).declarations();
}

std::string default_text(const config::Declaration& option) {
  static const std::string kNoLimit = config::Value(std::numeric_limits<double>::max()).flow();
  return option.initial == kNoLimit ? "" : option.initial;
}

std::string constraints(const config::Declaration& option) {
  if (option.type == "group" || option.type == "list") return option.type;
  std::vector<std::string> parts = {option.type};
  if (!option.allowed.empty() && option.type != "flag") parts.push_back(option.allowed);
  if (!option.unit.empty()) parts.push_back("in " + option.unit);
  const std::string initial = default_text(option);
  parts.push_back("default " + (initial.empty() ? "no limit" : initial));
  if (option.affects == config::Affects::kSpeed) parts.push_back("changes the speed only");
  return join(parts, ", ");
}

}  // namespace pslab::cli
