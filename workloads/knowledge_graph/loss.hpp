// Losses of one positive triple and its negative samples.
#pragma once

#include <span>

namespace pslab::kge {

/// `scores`: of the positive triple, then of as many negatives with another object, then of as many
/// with another subject. Replaced by the derivatives of the loss. Returns the loss.
using Loss = double (*)(std::span<float> scores);

/// Binary cross-entropy of the sigmoid of each score, added up; scores are cut to +-30.
double binary_cross_entropy(std::span<float> scores);

/// Cross-entropy of the softmax over the positive and the negatives with another object, plus that
/// with another subject.
double softmax_cross_entropy(std::span<float> scores);

}  // namespace pslab::kge
