// The arithmetic of a step: logistic losses of scores, and what their gradients add to the vectors.
#pragma once

#include <cstddef>
#include <span>

#include "base/types.hpp"
#include "workloads/word2vec/sigmoid.hpp"

namespace pslab::word2vec {

/// What the scores of a step came to.
struct Losses {
  double loss = 0.0;
  double scores = 0.0;  ///< their sum; no finite number when one of them is none
};

/// The word to be predicted: its output vector, which takes part in several predictions.
struct Target {
  Key key;
  float* value;  ///< goes on with each prediction
  float* delta;  ///< is added to
};

/// Noise words: n floats each, one after the other.
struct Noise {
  std::span<const Key> keys;
  const float* values;
  float* deltas;  ///< are set
};

/// One prediction: of `target` and not of the noise from the vector `input`, by negative sampling
/// (Mikolov et al., NIPS 2013): loss = -log s(input . target) - sum over noise of log s(-input .
/// noise), s the logistic function. Noise that is the target itself does not count. Steps of size
/// `alpha` against the gradient are added to `input_delta` and the target, and set for the noise.
void predict(const float* input, std::size_t n, const Target& target, const Noise& noise,
             float alpha, const Sigmoid& sigmoid, float* input_delta, Losses& losses);

/// The same from the mean of `count` inputs. `share`: of what is to be added to the mean, each
/// input gets its share, 1 / count (which makes it the gradient of the loss), or the whole
/// (word2vec). `room`: for 2 n floats.
void predict_from_mean(const float* inputs, std::size_t count, std::size_t n, const Target& target,
                       const Noise& noise, float alpha, const Sigmoid& sigmoid, bool share,
                       float* room, float* input_deltas, Losses& losses);

}  // namespace pslab::word2vec
