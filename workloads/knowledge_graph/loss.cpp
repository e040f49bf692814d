#include "workloads/knowledge_graph/loss.hpp"

#include <algorithm>
#include <cmath>

namespace pslab::kge {
namespace {

/// Of one side. Replaces the negatives' scores, and adds the positive's derivative to `derivative`.
double softmax_side(double positive, std::span<float> negatives, double& derivative) {
  double most = positive;
  for (const float score : negatives) most = std::max(most, double{score});
  double sum = std::exp(positive - most);
  for (const float score : negatives) sum += std::exp(double{score} - most);
  for (float& score : negatives) {
    score = static_cast<float>(std::exp(double{score} - most) / sum);
  }
  derivative += std::exp(positive - most) / sum - 1.0;
  return std::log(sum) + most - positive;
}

}  // namespace

double binary_cross_entropy(std::span<float> scores) {
  constexpr float kCut = 30.0F;
  double loss = 0.0;
  double label = 1.0;  // of the first
  for (float& score : scores) {
    const auto x = double{std::clamp(score, -kCut, kCut)};
    loss += std::log1p(std::exp(label > 0.0 ? -x : x));
    score = static_cast<float>(1.0 / (1.0 + std::exp(-x)) - label);
    label = 0.0;
  }
  return loss;
}

double softmax_cross_entropy(std::span<float> scores) {
  const double positive = scores[0];
  const std::span<float> negatives = scores.subspan(1);
  double derivative = 0.0;
  double loss = 0.0;
  for (const auto side :
       {negatives.first(negatives.size() / 2), negatives.last(negatives.size() / 2)}) {
    loss += softmax_side(positive, side, derivative);
  }
  scores[0] = static_cast<float>(derivative);
  return loss;
}

}  // namespace pslab::kge
