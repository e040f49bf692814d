// Embedding models. A model makes a query from the known entity and the relation of a question
// (subject, relation, ?) or (?, relation, object), and compares it with the candidates:
//
//   score(s, r, o) = compare(object.query(s, r), o) = compare(subject.query(o, r), s)
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/knowledge_graph/comparison.hpp"

namespace pslab::kge {

struct Model {
  /// Writes a query of n floats; n: the length of an entity's embedding.
  using Query = void (*)(const float* entity, const float* relation, float* query, std::size_t n);
  /// Adds the gradients for the entity and the relation, given that for their query.
  using Back = void (*)(const float* entity, const float* relation, const float* query_gradient,
                        float* entity_gradient, float* relation_gradient, std::size_t n);
  struct Side {
    Query query;
    Back back;
  };

  std::string name;
  Comparison comparison;
  Side object;   ///< the known entity is the subject
  Side subject;  ///< the known entity is the object
  std::size_t (*relation_length)(std::size_t n);
  double (*query_flops)(std::size_t n);
  bool complex_numbers;  ///< entities: n / 2 real parts, then as many imaginary ones
  bool phases;           ///< a relation is angles, which start anywhere on the circle
  bool matrices;         ///< a relation is a square matrix

  const Side& side(std::size_t i) const { return i == 0 ? object : subject; }
};

/// Of inner products: ComplEx, Re(s r conj(o)) (Trouillon et al., ICML 2016); DistMult, the sum of
/// s r o (Yang et al., ICLR 2015); RESCAL, s' R o, R by rows (Nickel et al., ICML 2011). Of
/// distances: TransE, -|s + r - o| in the L1 or the L2 norm (Bordes et al., NIPS 2013); RotatE,
/// -|s e^(i r) - o|, the sum of the absolute values of complex numbers (Sun et al., ICLR 2019).
const std::vector<Model>& models();

}  // namespace pslab::kge
