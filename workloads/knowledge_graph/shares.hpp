// Which worker trains on which triples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "data/triples.hpp"

namespace pslab::kge {

/// Begins of the slices of workers, and the end of the last one's: equal parts of `triples`.
std::vector<std::size_t> equal_slices(std::size_t triples, WorkerId workers);

/// As Lapse clusters data: sorts triples, which keep their order otherwise, such that each
/// relation's are in the slices of one node's workers, and returns the slices. Relations go to the
/// node that has the fewest triples so far, those with the most triples first.
std::vector<std::size_t> slices_by_relation(std::vector<data::Triple>& triples,
                                            std::uint32_t relations, NodeId nodes,
                                            std::uint32_t workers_per_node);

}  // namespace pslab::kge
