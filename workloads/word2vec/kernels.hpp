// Vector arithmetic of word2vec that base/dot.hpp has not.
#pragma once

#include <cstddef>

namespace pslab::word2vec {

/// sum += factor * y; product = factor * x
extern void (*const cross_add)(float factor, const float* x, const float* y, float* sum,
                               float* product, std::size_t n);

}  // namespace pslab::word2vec
