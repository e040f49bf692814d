// The arithmetic of one step of matrix factorization.
#pragma once

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

}  // namespace pslab::mf
