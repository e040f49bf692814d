// For data sets with several sources, each with options of its own.
#pragma once

#include <initializer_list>
#include <string_view>

#include "config/options.hpp"

namespace pslab::data {

/// Refuses each option that is not at its default, because nothing would come of it on data from
/// `source` ("a file").
void refuse_unused(const config::Options& options, std::string_view source,
                   std::initializer_list<std::string_view> names);

}  // namespace pslab::data
