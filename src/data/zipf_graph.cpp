#include "data/zipf_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/permutation.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "base/zipf.hpp"
#include "data/cell_checks.hpp"

namespace pslab::data {
namespace {

constexpr std::uint64_t kMostDrawsPerTriple = 100;

struct Hash {
  std::size_t operator()(const Triple& triple) const {
    return mix64(mix64(std::uint64_t{triple.subject} << 32 | triple.object) ^ triple.relation);
  }
};

/// Draws triples by rank: entity k, counted by falling popularity, is in class k mod classes.
class Drawing {
 public:
  explicit Drawing(const ZipfGraph& graph)
      : graph_(graph),
        random_(graph.seed, "zipf_graph.triples"),
        entities_(graph.entities, graph.zipf),
        relations_(graph.relations, graph.zipf),
        // The first classes have one entity more than the last, or as many.
        of_large_class_((graph.entities + graph.classes - 1) / graph.classes, graph.zipf),
        of_small_class_(graph.entities / graph.classes, graph.zipf) {
    for (std::uint32_t relation = 0; relation < graph.relations; ++relation) {
      leads_to_.emplace_back(graph.classes, Random(graph.seed, "zipf_graph.relation", relation));
    }
  }

  Triple draw() {
    const auto subject = static_cast<std::uint32_t>(entities_.draw(random_));
    const auto relation = static_cast<std::uint32_t>(relations_.draw(random_));
    if (random_.uniform() < graph_.noise) {
      return {subject, relation, static_cast<std::uint32_t>(random_.below(graph_.entities))};
    }
    const std::uint64_t in_class = leads_to_[relation](subject % graph_.classes);
    const bool large = in_class < graph_.entities % graph_.classes;
    const std::uint64_t rank = (large ? of_large_class_ : of_small_class_).draw(random_);
    return {subject, relation, static_cast<std::uint32_t>(rank * graph_.classes + in_class)};
  }

 private:
  const ZipfGraph& graph_;
  Random random_;
  Zipf entities_;
  Zipf relations_;
  Zipf of_large_class_;
  Zipf of_small_class_;
  std::vector<Permutation> leads_to_;
};

/// Distinct triples in the order in which they were drawn.
std::vector<Triple> draw_triples(const ZipfGraph& graph) {
  Drawing drawing(graph);
  std::vector<Triple> triples;
  triples.reserve(graph.triples);
  std::unordered_set<Triple, Hash> seen;
  seen.reserve(graph.triples);
  for (std::uint64_t draws = 0; triples.size() < graph.triples; ++draws) {
    if (draws == kMostDrawsPerTriple * graph.triples) {
      fail_input(
          "generated graph: {} draws gave only {} different triples of {}; lower triples or zipf, "
          "or raise entities",
          draws, triples.size(), graph.triples);
    }
    const Triple triple = drawing.draw();
    if (seen.insert(triple).second) triples.push_back(triple);
  }
  return triples;
}

}  // namespace

ZipfGraph::ZipfGraph(config::Options& options) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxKeys) / 2;
  entities = static_cast<std::uint32_t>(
      options.integer("entities", entities, 2, kMost, "", "entities of the generated graph"));
  relations = static_cast<std::uint32_t>(options.integer("relations", relations, 1, 1'000'000, "",
                                                         "relations of the generated graph"));
  triples = static_cast<std::uint64_t>(
      options.integer("triples", static_cast<std::int64_t>(triples), 1, 1'000'000'000, "",
                      "generated triples, training and test together"));
  zipf = options.real("zipf", zipf, 0.0, 3.0, "",
                      "exponent of the Zipf law of entities and of relations; 0: uniform");
  classes = static_cast<std::uint32_t>(
      options.integer("classes", classes, 1, kMost, "",
                      "hidden classes of entities; a relation leads from a class to a class"));
  noise = options.real("noise", noise, 0.0, 1.0, "", "share of triples with any object");
  test_share = options.real("test_share", test_share, 0.0, 0.9, "",
                            "share of the generated triples held out for testing");
  seed = static_cast<std::uint64_t>(
      options.integer("seed", 1, 0, std::int64_t{1} << 53, "", "seed of the generated graph"));
}

void ZipfGraph::check(const config::Options& options) const {
  if (classes > entities) {
    options.reject("classes", fmt::format("must be at most entities ({})", entities));
  }
  const std::uint64_t most = (std::uint64_t{entities} * entities / classes + 1) / 2 * relations;
  if (triples > most) {
    options.reject("triples",
                   fmt::format("must be at most {}, half of entities ({}) x entities / classes "
                               "({}) x relations ({})",
                               most, entities, classes, relations));
  }
}

std::string ZipfGraph::describe() const {
  return fmt::format(
      "generated graph, {} entities, {} relations, {} triples, zipf {}, {} classes, noise {}, "
      "test share {}, seed {}",
      entities, relations, triples, shortest(zipf), classes, shortest(noise), shortest(test_share),
      seed);
}

Triples generate_zipf_graph(const ZipfGraph& graph) {
  Triples triples;
  triples.entities = graph.entities;
  triples.relations = graph.relations;
  const Permutation entity_id(graph.entities, Random(graph.seed, "zipf_graph.entities"));
  const Permutation relation_id(graph.relations, Random(graph.seed, "zipf_graph.relations"));
  HoldOut choice(graph.test_share, graph.triples, graph.seed);
  for (const Triple& ranks : draw_triples(graph)) {
    const Triple triple{static_cast<std::uint32_t>(entity_id(ranks.subject)),
                        static_cast<std::uint32_t>(relation_id(ranks.relation)),
                        static_cast<std::uint32_t>(entity_id(ranks.object))};
    (choice.next() ? triples.test : triples.train).push_back(triple);
  }
  count_leaked(triples);
  triples.notes.push_back(graph.describe());
  return triples;
}

}  // namespace pslab::data
