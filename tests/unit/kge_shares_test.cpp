// Which worker of the knowledge-graph workload trains on which triples.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "workloads/knowledge_graph/shares.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

TEST(KgeShares, AreEqualPartsOfAllTriples) {
  EXPECT_EQ(equal_slices(10, 4), (std::vector<std::size_t>{0, 2, 5, 7, 10}));
  EXPECT_EQ(equal_slices(2, 4), (std::vector<std::size_t>{0, 0, 1, 1, 2}));
}

TEST(KgeShares, OfARelationAreOnOneNode) {
  // Relations 0 to 3 have 40, 30, 20 and 10 triples; relation 4 has none.
  std::vector<Triple> triples;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t relation = i % 10 < 4 ? 0 : i % 10 < 7 ? 1 : i % 10 < 9 ? 2 : 3;
    triples.push_back({i, relation, i});
  }
  const std::vector<std::size_t> slices = slices_by_relation(triples, 5, 2, 3);
  // The largest to node 0, the next two to node 1, and the smallest where there is less.
  EXPECT_EQ(slices, (std::vector<std::size_t>{0, 16, 33, 50, 66, 83, 100}));
  std::set<std::uint32_t> first;
  std::set<std::uint32_t> second;
  std::set<std::uint32_t> subjects;
  for (std::size_t i = 0; i < 100; ++i) {
    (i < 50 ? first : second).insert(triples[i].relation);
    subjects.insert(triples[i].subject);
    if (i % 50 != 0) {
      EXPECT_LT(triples[i - 1].subject, triples[i].subject) << "a node's keep their order";
    }
  }
  EXPECT_EQ(first, (std::set<std::uint32_t>{0, 3}));
  EXPECT_EQ(second, (std::set<std::uint32_t>{1, 2}));
  EXPECT_EQ(subjects.size(), 100U);
}

TEST(KgeShares, AreEmptyOnNodesThatGetNoRelation) {
  std::vector<Triple> triples = {{0, 0, 1}, {1, 0, 2}};
  EXPECT_EQ(slices_by_relation(triples, 1, 3, 1), (std::vector<std::size_t>{0, 2, 2, 2}));
}

}  // namespace
}  // namespace pslab::kge
