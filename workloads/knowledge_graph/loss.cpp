#include "workloads/knowledge_graph/loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pslab::kge {
namespace {

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

/// -log sigmoid(x), for x of any size.
double minus_log_sigmoid(double x) {
  return std::max(-x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

/// The negatives with another object, and those with another subject.
std::array<std::span<float>, 2> sides(std::span<float> scores) {
  const std::span<float> negatives = scores.subspan(1);
  return {negatives.first(negatives.size() / 2), negatives.last(negatives.size() / 2)};
}

/// Of one side. Replaces the negatives' scores, and adds the positive's derivative to `derivative`.
double softmax_side(double positive, std::span<float> negatives, double& derivative) {
  double most = positive;
  for (const float score : negatives) most = std::max(most, double{score});
  const double own = std::exp(positive - most);
  double sum = own;
  for (float& score : negatives) {
    const double power = std::exp(double{score} - most);
    sum += power;
    score = static_cast<float>(power);
  }
  const auto scale = static_cast<float>(1.0 / sum);
  for (float& score : negatives) score *= scale;
  derivative += own / sum - 1.0;
  return std::log(sum) + most - positive;
}

/// Of one side's negatives, whose scores it replaces.
double self_adversarial_side(std::span<float> negatives, const LossOptions& options) {
  double most = double{negatives[0]};
  for (const float score : negatives) most = std::max(most, double{score});
  double sum = 0.0;
  double loss = 0.0;
  for (float& score : negatives) {
    const double weight = std::exp(options.temperature * (double{score} - most));
    const double above = options.margin + double{score};
    sum += weight;
    loss += weight * minus_log_sigmoid(-above);
    score = static_cast<float>(weight * sigmoid(above));
  }
  const auto scale = static_cast<float>(1.0 / sum);
  for (float& score : negatives) score *= scale;
  return loss / sum;
}

}  // namespace

double binary_cross_entropy(std::span<float> scores, const LossOptions& /*options*/) {
  constexpr float kCut = 30.0F;
  double loss = 0.0;
  double label = 1.0;  // of the first
  for (float& score : scores) {
    const auto x = double{std::clamp(score, -kCut, kCut)};
    loss += std::log1p(std::exp(label > 0.0 ? -x : x));
    score = static_cast<float>(sigmoid(x) - label);
    label = 0.0;
  }
  return loss;
}

double softmax_cross_entropy(std::span<float> scores, const LossOptions& /*options*/) {
  const double positive = scores[0];
  double derivative = 0.0;
  double loss = 0.0;
  for (const auto side : sides(scores)) loss += softmax_side(positive, side, derivative);
  scores[0] = static_cast<float>(derivative);
  return loss;
}

double margin_ranking(std::span<float> scores, const LossOptions& options) {
  const double needed = double{scores[0]} - options.margin;
  double loss = 0.0;
  scores[0] = 0.0F;
  for (float& score : scores.subspan(1)) {
    const double over = double{score} - needed;
    loss += std::max(over, 0.0);
    score = over > 0.0 ? 1.0F : 0.0F;
    scores[0] -= score;
  }
  return loss;
}

double self_adversarial(std::span<float> scores, const LossOptions& options) {
  const double positive = options.margin + double{scores[0]};
  double loss = 2.0 * minus_log_sigmoid(positive);
  for (const auto side : sides(scores)) loss += self_adversarial_side(side, options);
  scores[0] = static_cast<float>(2.0 * (sigmoid(positive) - 1.0));
  return loss;
}

const std::vector<NamedLoss>& losses() {
  static const std::vector<NamedLoss> all = {{"bce", binary_cross_entropy},
                                             {"softmax", softmax_cross_entropy},
                                             {"margin", margin_ranking},
                                             {"self_adversarial", self_adversarial}};
  return all;
}

}  // namespace pslab::kge
