// What `pslab data info` writes.
#pragma once

#include <string>

#include "data/info.hpp"
#include "run/json.hpp"

namespace pslab::cli {

/// Everything that is known; of the skew the curve of shares over ranks, too.
run::Json to_json(const data::Info& info);

/// Draws that curve to `figure`, a .png or .pdf file; direct accesses against samples. Throws
/// InputError.
void draw_skew(const data::Info& info, const std::string& root, const std::string& figure);

}  // namespace pslab::cli
