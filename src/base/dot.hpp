// The inner product, for every workload.
#pragma once

#include <cstddef>

namespace pslab {

/// In 32 interleaved partial sums: enough for vector registers of any width, and the result does
/// not depend on how wide these are.
extern float (*const dot)(const float* a, const float* b, std::size_t n);

}  // namespace pslab
