// Inner products and sums of vectors, for every workload.
#pragma once

#include <cstddef>

namespace pslab {

/// In 32 interleaved partial sums: enough for vector registers of any width, and the result does
/// not depend on how wide these are.
extern float (*const dot)(const float* a, const float* b, std::size_t n);

/// sum += factor * values
extern void (*const add_scaled)(float factor, const float* values, float* sum, std::size_t n);

/// Vectors that are scored together; a tile has component k of all of them, then component k + 1.
inline constexpr std::size_t kTile = 64;

/// The scores of the vectors of a tile: inner products with `query`, of `n` floats.
extern void (*const score_tile)(const float* query, const float* tile, std::size_t n,
                                float* scores);

/// The score of one vector, exactly as score_tile has it.
float score_one(const float* query, const float* vector, std::size_t n);

}  // namespace pslab
