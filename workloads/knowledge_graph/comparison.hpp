// How well a candidate entity fits a query: inner products and negative distances.
#pragma once

#include <cstddef>

namespace pslab::kge {

/// All are symmetric in query and entity.
struct Comparison {
  float (*score)(const float* query, const float* entity, std::size_t n);
  /// The scores of one vector with the vectors of a tile (base/dot.hpp). Each is as if it were
  /// alone.
  void (*score_tile)(const float* one, const float* tile, std::size_t n, float* scores);
  /// Adds the gradients of `factor` times the score for query and entity.
  void (*add_gradients)(float factor, float score, const float* query, const float* entity,
                        float* query_gradient, float* entity_gradient, std::size_t n);
  bool inner_product;
};

Comparison inner_product();
/// -(sum of |q - e|)
Comparison l1_distance();
/// -sqrt(sum of (q - e)^2)
Comparison l2_distance();
/// -(sum of |q - e|), of n / 2 complex numbers, the real parts first.
Comparison complex_distance();

}  // namespace pslab::kge
