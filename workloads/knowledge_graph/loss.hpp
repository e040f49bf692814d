// Losses of one positive triple and its negative samples.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace pslab::kge {

struct LossOptions {
  double margin = 1.0;
  double temperature = 1.0;
};

/// `scores`: of the positive triple, then of as many negatives with another object, then of as many
/// with another subject. Replaced by the derivatives of the loss. Returns the loss.
using Loss = double (*)(std::span<float> scores, const LossOptions& options);

/// Binary cross-entropy of the sigmoid of each score, added up; scores are cut to +-30.
double binary_cross_entropy(std::span<float> scores, const LossOptions& options);

/// Cross-entropy of the softmax over the positive and the negatives with another object, plus that
/// with another subject.
double softmax_cross_entropy(std::span<float> scores, const LossOptions& options);

/// The sum over the negatives of max(0, margin + negative - positive) (Bordes et al., NIPS 2013).
double margin_ranking(std::span<float> scores, const LossOptions& options);

/// For each side: -log sigmoid(margin + positive) - sum of p log sigmoid(-margin - negative), where
/// p, the softmax of temperature * negative over the side, counts as a constant (Sun et al., ICLR
/// 2019).
double self_adversarial(std::span<float> scores, const LossOptions& options);

struct NamedLoss {
  std::string name;
  Loss loss;
};
const std::vector<NamedLoss>& losses();

}  // namespace pslab::kge
