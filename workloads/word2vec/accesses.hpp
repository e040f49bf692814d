// How often keys are expected to be accessed, from what is known before training: what strategies
// choose hot keys and placements by.
#pragma once

#include <span>
#include <vector>

#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

struct ExpectedAccesses {
  std::vector<float> direct;  ///< of each key: pulls and pushes for itself
  double samples = 0.0;       ///< of all keys together
};

/// Of one epoch over `tokens`.
ExpectedAccesses expected_accesses(const Shared& shared, std::span<const data::Token> tokens);

/// The probability of each word as a sample.
std::vector<double> noise_weights(std::span<const std::uint64_t> counts, double exponent);

}  // namespace pslab::word2vec
