// Embedding models whose score is linear in each of subject, relation and object. Such a model is
// three functions: the vectors whose inner products with one part of a triple are its score.
//
//   score(s, r, o) = <object_query(s, r), o> = <subject_query(r, o), s> = <relation_query(s, o), r>
//
// These are also the gradients of the score. For sums over samples only one part differs, and
// linearity lets the others be computed once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pslab::kge {

struct Model {
  /// Writes a query of as many floats as the missing part has. `out` overlaps with neither.
  using Query = void (*)(const float* first, const float* second, float* out,
                         std::size_t dimension);

  std::string name;
  Query object_query;    ///< of subject, relation
  Query subject_query;   ///< of relation, object
  Query relation_query;  ///< of subject, object
  std::size_t (*relation_length)(std::size_t dimension);
  double (*query_flops)(std::size_t dimension);
  bool even_dimension;  ///< the dimension must be even
};

/// DistMult: sum of s r o (Yang et al., ICLR 2015). ComplEx: Re(s r conj(o)), real parts before the
/// imaginary ones (Trouillon et al., ICML 2016). RESCAL: s' R o, R by rows (Nickel et al., ICML
/// 2011).
const std::vector<Model>& models();

}  // namespace pslab::kge
