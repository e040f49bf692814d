#include "data/triples.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace pslab::data {

std::uint64_t remove_duplicates(std::vector<Triple>& triples) {
  std::vector<std::uint32_t> order(triples.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return triples[a] != triples[b] ? triples[a] < triples[b] : a < b;
  });
  std::vector<bool> repeated(triples.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i) {
    repeated[order[i]] = triples[order[i]] == triples[order[i - 1]];
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    if (!repeated[i]) triples[kept++] = triples[i];
  }
  const std::uint64_t removed = triples.size() - kept;
  triples.resize(kept);
  return removed;
}

void count_leaked(Triples& triples) {
  std::vector<Triple> test = triples.test;
  std::sort(test.begin(), test.end());
  triples.leaked = 0;  // the triples of train are distinct
  for (const Triple& triple : triples.train) {
    if (std::binary_search(test.begin(), test.end(), triple)) ++triples.leaked;
  }
}

Seen::Seen(const Triples& triples)
    : entities_(triples.entities, false), relations_(triples.relations, false) {
  for (const Triple& triple : triples.train) {
    entities_[triple.subject] = true;
    entities_[triple.object] = true;
    relations_[triple.relation] = true;
  }
}

}  // namespace pslab::data
