// From the triples of a data set to what workers share.
#pragma once

#include <string>
#include <vector>

#include "api/workload.hpp"
#include "data/triples.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// The key of each entity, or what is added to relation_key(0) for each relation. Ids often come
/// sorted by frequency: they are numbered in random order.
std::vector<std::uint32_t> entity_order(std::uint32_t entities, std::uint64_t seed);
std::vector<std::uint32_t> relation_order(std::uint32_t relations, std::uint64_t seed);

/// Fills `shared`: the workers' triples, and those that are ranked. Returns sentences for the user.
std::vector<std::string> prepare(data::Triples triples, const LoadContext& context, Shared& shared);

}  // namespace pslab::kge
