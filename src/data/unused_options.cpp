#include "data/unused_options.hpp"

#include <fmt/format.h>

#include <string>

namespace pslab::data {

void refuse_unused(const config::Options& options, std::string_view source,
                   std::initializer_list<std::string_view> names) {
  const config::Value resolved = options.resolved();
  for (const std::string_view name : names) {
    if (!options.given(name)) continue;
    const std::string in_force = resolved.find(name)->flow();
    const std::string path =
        options.path().empty() ? std::string(name) : fmt::format("{}.{}", options.path(), name);
    for (const config::Declaration& declared : options.declarations()) {
      if (declared.path == path && declared.initial != in_force) {
        options.reject(name, fmt::format("has no effect on data from {}; remove it", source));
      }
    }
  }
}

}  // namespace pslab::data
