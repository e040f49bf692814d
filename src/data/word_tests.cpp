#include "data/word_tests.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/cell_value.hpp"
#include "data/line_reader.hpp"

namespace pslab::data {
namespace {

std::vector<std::string_view> fields(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> found;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != line.npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    found.push_back(line.substr(at, end - at));
    at = end;
  }
  return found;
}

}  // namespace

std::vector<AnalogySection> read_analogies(const std::string& path) {
  LineReader lines(path);
  std::vector<AnalogySection> sections;
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<std::string_view> words = fields(line);
    if (words.empty()) continue;
    if (words[0].front() == ':') {
      const std::string_view name = line.substr(line.find(':') + 1);
      const std::vector<std::string_view> parts = fields(name);
      if (parts.empty()) fail_input("{}: a section needs a name after ':'", lines.place());
      std::string section(parts.front());
      for (std::size_t i = 1; i < parts.size(); ++i) section.append("-").append(parts[i]);
      if (std::ranges::find(sections, section, &AnalogySection::name) != sections.end()) {
        fail_input("{}: the section '{}' occurs a second time", lines.place(), excerpt(section));
      }
      sections.push_back({std::move(section), {}});
      continue;
    }
    if (words.size() != 4) {
      fail_input("{}: {} in '{}'; a question has four, separated by blanks", lines.place(),
                 counted(words.size(), "word"), excerpt(line));
    }
    if (sections.empty()) {
      fail_input("{}: '{}' comes before the first section; sections begin with a line ': name'",
                 lines.place(), excerpt(line));
    }
    sections.back().questions.push_back({std::string(words[0]), std::string(words[1]),
                                         std::string(words[2]), std::string(words[3])});
  }
  const auto empty = [](const AnalogySection& section) { return section.questions.empty(); };
  if (std::ranges::all_of(sections, empty)) fail_input("{}: there is no question", path);
  return sections;
}

std::vector<WordPair> read_similarities(const std::string& path) {
  LineReader lines(path);
  std::vector<WordPair> pairs;
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<std::string_view> found = fields(line);
    if (found.empty()) continue;
    if (found.size() != 3) {
      fail_input("{}: {} in '{}'; a line is: word, word, score, separated by blanks or tabs",
                 lines.place(), counted(found.size(), "column"), excerpt(line));
    }
    pairs.push_back(
        {std::string(found[0]), std::string(found[1]), double{parse_value(found[2], lines)}});
  }
  if (pairs.empty()) fail_input("{}: there is no pair of words", path);
  return pairs;
}

}  // namespace pslab::data
