// The arithmetic of knowledge-graph embeddings that does not depend on the model.
#pragma once

#include <cstddef>

namespace pslab::kge {

/// sum += factors[i] * vector i, for `count` vectors of n floats, each `stride` floats behind the
/// one before.
struct Weighted {
  const float* factors;
  const float* vectors;
  std::size_t count;
  std::size_t stride;
};
extern void (*const add_weighted)(const Weighted& terms, float* sum, std::size_t n);

/// What AdaGrad needs besides the value.
struct AdaGrad {
  float l2;  ///< added to the gradient: l2 * embedding
  float rate;
};

/// One step of AdaGrad (Duchi et al., JMLR 2011) as deltas. A value is an embedding of n floats and
/// the n sums of its squared gradients. With g = gradient + l2 * embedding, the delta is
/// (-rate * g / sqrt(sum + g^2), g^2), and 0 where g is 0.
extern void (*const adagrad)(const float* value, const float* gradient, const AdaGrad& how,
                             float* delta, std::size_t n);

/// Adds the gradient of weight / 3 * (sum of |x|^3).
extern void (*const add_cubic)(float weight, const float* value, float* gradient, std::size_t n);
/// The same, where x are the absolute values of n / 2 complex numbers, the real parts first.
extern void (*const add_complex_cubic)(float weight, const float* value, float* gradient,
                                       std::size_t n);

}  // namespace pslab::kge
