// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

namespace pslab::cli {

enum class Align { kLeft, kRight };

/// The first row is the heading. Columns beyond those of `align` are aligned as the last of it.
std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<Align>& align);

/// `text` in lines of at most `width` characters, broken at blanks; each but the first begins with
/// `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

}  // namespace pslab::cli
