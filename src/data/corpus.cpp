#include "data/corpus.hpp"

#include <algorithm>

namespace pslab::data {

std::span<const Token> sentences(std::span<const Token> tokens, std::size_t begin,
                                 std::size_t end) {
  const auto next_start = [&](std::size_t position) {
    while (position < tokens.size() && !tokens[position].begins()) ++position;
    return position;
  };
  const std::size_t first = next_start(begin);
  const std::size_t last = std::max(first, next_start(end));
  return tokens.subspan(first, last - first);
}

}  // namespace pslab::data
