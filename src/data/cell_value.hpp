// The value field of a rating record, in every text format.
#pragma once

#include <string_view>

#include "data/line_reader.hpp"

namespace pslab::data {

/// Parses a finite decimal number. InputError with file and line for anything else: text, nan, inf,
/// a decimal comma, a number beyond a 32-bit float. `hint`, a sentence, is added where the field
/// is no number at all.
float parse_value(std::string_view field, const LineReader& at, std::string_view hint = "");

/// `bytes` for use in a message: printable and not longer than a line.
std::string excerpt(std::string_view bytes);

}  // namespace pslab::data
