// What `pslab data` writes as JSON or as a figure.
#pragma once

#include <string>

#include "data/info.hpp"
#include "run/json.hpp"

namespace pslab::cli {

/// The sets of the catalog.
run::Json dataset_list_json();

/// Everything that is known; of the skew the curve of shares over ranks, too.
run::Json to_json(const data::Info& info);

/// Throws InputError unless `figure` can be written: its folder must be there.
void check_figure(const std::string& figure);

/// Draws that curve to `figure`, a .png or .pdf file; direct accesses against samples. Throws
/// InputError.
void draw_skew(const data::Info& info, const std::string& root, const std::string& figure);

}  // namespace pslab::cli
