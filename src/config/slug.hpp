// Short names for swept values, of which run ids are made.
#pragma once

#include <string>
#include <vector>

#include "config/value.hpp"

namespace pslab::config {

/// One slug for each of `values`, which a sweep gives to the dotted `path`:
///  {name: hybrid, sync_rate: 5} -> "hybrid-sync-rate-5"; cluster.nodes: 4 -> "nodes-4";
///  strategy: static -> "static".
/// Only [A-Za-z0-9.+-], beginning with a letter or digit, at most kMaxSlug long. Equal values have
/// equal slugs; different ones differ, where need be by a hash at the end.
std::vector<std::string> slugs(const std::string& path, const List& values);

inline constexpr std::size_t kMaxSlug = 60;

}  // namespace pslab::config
