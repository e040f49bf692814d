#include "workloads/word2vec/gradients.hpp"

#include <algorithm>

#include "base/dot.hpp"
#include "workloads/word2vec/kernels.hpp"

namespace pslab::word2vec {

void predict(const float* input, std::size_t n, const Target& target, const Noise& noise,
             float alpha, const Sigmoid& sigmoid, float* input_delta, Losses& losses) {
  const float score = dot(input, target.value, n);
  const Sigmoid::At at = sigmoid(score);
  losses.loss += double{at.loss - score};
  losses.scores += double{score};
  const float step = alpha * (1.0F - at.value);
  add_scaled(step, target.value, input_delta, n);
  add_scaled(step, input, target.delta, n);
  add_scaled(step, input, target.value, n);
  const float* value = noise.values;
  float* delta = noise.deltas;
  for (const Key key : noise.keys) {
    if (key == target.key) {
      std::fill_n(delta, n, 0.0F);
    } else {
      const float noise_score = dot(input, value, n);
      const Sigmoid::At noise_at = sigmoid(noise_score);
      losses.loss += double{noise_at.loss};
      losses.scores += double{noise_score};
      cross_add(-alpha * noise_at.value, input, value, input_delta, delta, n);
    }
    value += n;
    delta += n;
  }
}

void predict_from_mean(const float* inputs, std::size_t count, std::size_t n, const Target& target,
                       const Noise& noise, float alpha, const Sigmoid& sigmoid, bool share,
                       float* room, float* input_deltas, Losses& losses) {
  float* mean = room;
  float* change = room + n;
  std::fill_n(room, 2 * n, 0.0F);
  const float weight = 1.0F / static_cast<float>(count);
  for (std::size_t i = 0; i < count; ++i) add_scaled(weight, inputs + i * n, mean, n);
  predict(mean, n, target, noise, alpha, sigmoid, change, losses);
  const float factor = share ? weight : 1.0F;
  for (std::size_t i = 0; i < count; ++i) add_scaled(factor, change, input_deltas + i * n, n);
}

}  // namespace pslab::word2vec
