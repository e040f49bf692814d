// For options that others leave without effect.
#pragma once

#include <initializer_list>
#include <string_view>

#include "config/options.hpp"

namespace pslab::config {

/// Refuses each of the options `names` (declared) that is not at its default, because it has no
/// effect `where`: "with loss: bce", "on data from a file". A resolved config names every option,
/// so that a default is no wish for anything.
void refuse_unused(const Options& options, std::string_view where,
                   std::initializer_list<std::string_view> names);

}  // namespace pslab::config
