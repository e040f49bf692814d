#include "config/unused.hpp"

#include <fmt/format.h>

#include <string>

namespace pslab::config {

void refuse_unused(const Options& options, std::string_view where,
                   std::initializer_list<std::string_view> names) {
  const Value resolved = options.resolved();
  for (const std::string_view name : names) {
    if (!options.given(name)) continue;
    const std::string in_force = resolved.find(name)->flow();
    const std::string path =
        options.path().empty() ? std::string(name) : fmt::format("{}.{}", options.path(), name);
    for (const Declaration& declared : options.declarations()) {
      if (declared.path == path && declared.initial != in_force) {
        options.reject(name, fmt::format("has no effect {}; remove it", where));
      }
    }
  }
}

}  // namespace pslab::config
