// The arithmetic of one step of matrix factorization.
#pragma once

#include <algorithm>
#include <cstddef>

namespace pslab::mf {

/// What gradient_step needs besides the factors.
struct StepSizes {
  float error;    ///< of the cell
  float step;     ///< step size
  float w_decay;  ///< of the row factor
  float h_decay;  ///< of the column factor
  float limit;    ///< largest component of a change
};

/// The changes of a row factor `w` and a column factor `h` for one cell: dw = step * (error * h -
/// w_decay * w) and dh = step * (error * w - h_decay * h), every component cut to +-limit.
extern void (*const gradient_step)(const float* w, const float* h, const StepSizes& sizes,
                                   float* dw, float* dh, std::size_t n);

/// The change of a bias, whose factor on the other side is 1.
inline float bias_step(float bias, float decay, const StepSizes& sizes) {
  const float change = sizes.step * (sizes.error - decay * bias);
  return std::min(std::max(change, -sizes.limit), sizes.limit);
}

}  // namespace pslab::mf
