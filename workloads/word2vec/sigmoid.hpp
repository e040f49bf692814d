// The logistic function and its loss by table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pslab::word2vec {

class Sigmoid {
 public:
  /// The table of the original word2vec: 1000 steps within +-6, and saturated beyond.
  static constexpr std::size_t kSteps = 1000;
  static constexpr float kLimit = 6.0F;

  explicit Sigmoid(std::size_t steps = kSteps, float limit = kLimit)
      : limit_(limit), per_unit_(static_cast<float>(steps) / (2.0F * limit)) {
    for (std::size_t i = 0; i < steps; ++i) {
      const double x = (2.0 * static_cast<double>(i) / static_cast<double>(steps) - 1.0) *
                       static_cast<double>(limit);
      entries_.push_back({static_cast<float>(1.0 / (1.0 + std::exp(-x))),
                          static_cast<float>(std::log1p(std::exp(x)))});
    }
  }

  struct At {
    float value;  ///< 1 / (1 + exp(-x))
    float loss;  ///< -log(1 - value): of a score that should be low; minus x, of one that should be
                 ///< high
  };
  At operator()(float x) const {
    if (!(x < limit_)) return {1.0F, x};
    if (!(x > -limit_)) return {0.0F, 0.0F};
    return entries_[std::min(static_cast<std::size_t>((x + limit_) * per_unit_),
                             entries_.size() - 1)];
  }

 private:
  float limit_;
  float per_unit_;
  std::vector<At> entries_;
};

}  // namespace pslab::word2vec
