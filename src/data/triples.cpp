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

void count_unseen_and_leaked(Triples& triples) {
  std::vector<bool> entity_seen(triples.entities, false);
  std::vector<bool> relation_seen(triples.relations, false);
  for (const Triple& triple : triples.train) {
    entity_seen[triple.subject] = true;
    entity_seen[triple.object] = true;
    relation_seen[triple.relation] = true;
  }
  std::vector<Triple> test = triples.test;
  std::sort(test.begin(), test.end());
  triples.test_unseen = 0;
  for (const Triple& triple : test) {
    if (!entity_seen[triple.subject] || !entity_seen[triple.object] ||
        !relation_seen[triple.relation]) {
      ++triples.test_unseen;
    }
  }
  triples.leaked = 0;  // the triples of train are distinct
  for (const Triple& triple : triples.train) {
    if (std::binary_search(test.begin(), test.end(), triple)) ++triples.leaked;
  }
}

}  // namespace pslab::data
