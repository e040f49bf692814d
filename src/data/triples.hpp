// A knowledge graph as triples (subject, relation, object): what knowledge-graph embeddings train
// on.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace pslab::data {

struct Triple {
  std::uint32_t subject;
  std::uint32_t relation;
  std::uint32_t object;

  friend auto operator<=>(const Triple&, const Triple&) = default;
};

/// Train and held-out triples over one space of entities and one of relations.
struct Triples {
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::vector<Triple> train;
  std::vector<Triple> valid;              ///< may be empty
  std::vector<Triple> test;               ///< may be empty: then there is no test metric
  std::vector<std::string> entity_names;  ///< by id; empty: not kept, or ids have no names
  std::vector<std::string> relation_names;
  std::uint64_t leaked = 0;        ///< test triples that are in train too
  std::vector<std::string> notes;  ///< sentences for the user: what was kept, skipped, merged
};

/// Whether names are kept: they take more memory than all else, and training needs none.
enum class Names { kSkip, kKeep };

/// Removes repeated triples, the first of each stays where it is; how many were removed.
std::uint64_t remove_duplicates(std::vector<Triple>& triples);

/// Fills `leaked`.
void count_leaked(Triples& triples);

/// The entities and relations that training triples have.
class Seen {
 public:
  explicit Seen(const Triples& triples);
  bool all_of(const Triple& triple) const {
    return entities_[triple.subject] && relations_[triple.relation] && entities_[triple.object];
  }

 private:
  std::vector<bool> entities_;
  std::vector<bool> relations_;
};

}  // namespace pslab::data
