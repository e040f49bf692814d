// The arithmetic of knowledge-graph embeddings that does not depend on the model.
#pragma once

#include <cstddef>

namespace pslab::kge {

/// sum += factor * values
extern void (*const add_scaled)(float factor, const float* values, float* sum, std::size_t n);

/// What AdaGrad needs besides the value.
struct AdaGrad {
  float factor;  ///< of the gradient
  float l2;      ///< added to the gradient: l2 * embedding
  float rate;
};

/// One step of AdaGrad (Duchi et al., JMLR 2011) as deltas. A value is an embedding of n floats and
/// the n sums of its squared gradients. With g = factor * gradient + l2 * embedding, the delta is
/// (-rate * g / sqrt(sum + g^2), g^2), and 0 where g is 0.
extern void (*const adagrad)(const float* value, const float* gradient, const AdaGrad& how,
                             float* delta, std::size_t n);

/// Entities that are scored together; a tile has component k of all of them, then component k + 1.
inline constexpr std::size_t kTile = 64;

/// The scores of the entities of a tile: inner products with `query`, of `n` floats.
extern void (*const score_tile)(const float* query, const float* tile, std::size_t n,
                                float* scores);

/// The score of one entity, exactly as score_tile has it.
float score_one(const float* query, const float* entity, std::size_t n);

}  // namespace pslab::kge
