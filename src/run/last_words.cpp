#include "run/last_words.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace pslab::run {

namespace {
constexpr std::size_t kLongest = 700;
constexpr std::size_t kFrame = 20;  // dashes that make a line part of a frame

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

bool is_frame(const std::string& line) {
  return line.size() >= kFrame && std::ranges::all_of(line, [](char c) { return c == '-'; });
}

/// What mpirun adds to every failure, after the text that names the cause.
bool is_general(const std::string& text) {
  constexpr std::string_view kBegins[] = {"Primary job",
                                          "mpirun detected that one or more processes exited",
                                          "ORTE was unable to reliably start one or more daemons"};
  return text.find(" sent help message ") != std::string::npos ||
         text.find("orte_base_help_aggregate") != std::string::npos ||
         text.find("] *** ") != std::string::npos ||  // what MPI says after the cause
         std::ranges::any_of(kBegins,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}
}  // namespace

void LastWords::take(const std::string& line) {
  const std::string text = trimmed(line);
  if (is_frame(text)) {
    end_block();
    in_block_ = !in_block_;
  } else if (in_block_) {
    if (!text.empty()) block_ += (block_.empty() ? "" : " ") + text;
  } else if (!text.empty()) {
    (is_general(text) ? last_general_ : last_) = text;
  }
}

void LastWords::end_block() {
  if (is_general(block_)) {
    last_general_ = block_;
  } else if (first_block_.empty()) {
    first_block_ = block_;
  }
  block_.clear();
}

std::string LastWords::text() const {
  LastWords ended = *this;  // its last block may be cut
  ended.end_block();
  std::string text = ended.first_block_;
  if (!text.empty() && !last_.empty()) text += " ... ";
  text += last_;
  if (text.empty()) text = ended.last_general_;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + " ...";
  return printable(text);
}

}  // namespace pslab::run
