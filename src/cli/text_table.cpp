#include "cli/text_table.hpp"

#include <algorithm>
#include <sstream>

namespace pslab::cli {
namespace {

/// Characters of UTF-8 text, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<Align>& align) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      if (i > 0) line += "  ";
      const bool right = align[std::min(i, align.size() - 1)] == Align::kRight;
      line += right ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + width_of(word) > width) {
      result += "\n" + indent;
      column = width_of(indent);
    } else if (column > 0) {
      result += " ";
      ++column;
    }
    result += word;
    column += width_of(word);
  }
  return result;
}

}  // namespace pslab::cli
