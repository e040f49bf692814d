// All true answers to a question (subject, relation, ?) or (?, relation, object): what filtered
// ranks leave out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "data/triples.hpp"

namespace pslab::kge {

class KnownAnswers {
 public:
  KnownAnswers() = default;
  KnownAnswers(std::initializer_list<std::span<const data::Triple>> parts);

  /// The triples with this subject and relation, by ascending object.
  std::span<const data::Triple> objects(std::uint32_t subject, std::uint32_t relation) const;
  /// The triples with this object and relation, with subject and object swapped: by ascending
  /// subject, which stands in `object`.
  std::span<const data::Triple> subjects(std::uint32_t object, std::uint32_t relation) const;

  std::uint64_t bytes() const;

 private:
  std::vector<data::Triple> by_subject_;
  std::vector<data::Triple> by_object_;  ///< subject and object swapped
};

}  // namespace pslab::kge
