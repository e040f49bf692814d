// The arithmetic of one step of matrix factorization.
#pragma once

#include <algorithm>
#include <cstddef>

namespace pslab::mf {

/// Inner product, in eight interleaved partial sums: the compiler turns them into vector registers,
/// and the result does not depend on how wide these are.
inline float dot(const float* __restrict a, const float* __restrict b, std::size_t n) {
  float sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float total =
      ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

/// The changes of a row factor `w` and a column factor `h` for one cell: dw = step * (error * h -
/// w_decay * w) and dh = step * (error * w - h_decay * h), every component cut to +-limit.
inline void gradient_step(const float* __restrict w, const float* __restrict h, float error,
                          float step, float w_decay, float h_decay, float limit,
                          float* __restrict dw, float* __restrict dh, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float a = step * (error * h[i] - w_decay * w[i]);
    const float b = step * (error * w[i] - h_decay * h[i]);
    dw[i] = std::min(std::max(a, -limit), limit);
    dh[i] = std::min(std::max(b, -limit), limit);
  }
}

}  // namespace pslab::mf
