// The rules by which a scalar of a config gets its type, in both directions: reading a plain (not
// quoted) scalar, and writing a value so that it reads back to the same type. Only the reader and
// the writer of YAML need this.
#pragma once

#include <string>
#include <string_view>

#include "config/value.hpp"

namespace pslab::config {

/// Either a value (null, bool, integer, real or text) or a problem, which says what is wrong with
/// the scalar and how to write what was meant.
struct PlainScalar {
  Value value;
  std::string problem;
};

PlainScalar read_plain(std::string_view plain);

/// "0.5", "25.0", "1e-05": always recognisable as a real.
std::string real_text(double value);

/// `text` as it is where that reads back as the same text, otherwise in double quotes.
std::string quoted_if_needed(std::string_view text);

}  // namespace pslab::config
