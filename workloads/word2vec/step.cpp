#include "workloads/word2vec/step.hpp"

#include <algorithm>

namespace pslab::word2vec {
namespace {

/// For each component of each score: the score, and the changes of both vectors.
constexpr double kFlopsPerComponent = 6.0;

}  // namespace

Step::Step(const Shared& shared)
    : shared_(shared), options_(shared.options), n_(options_.dimension), mean_(2 * n_) {}

void Step::train(Worker& worker, std::span<const std::uint32_t> words, std::size_t position,
                 Context context, float alpha) {
  keys_.clear();
  for (std::size_t i = context.begin; i < context.end; ++i) {
    if (i == position) continue;
    keys_.push_back(shared_.input(words[i]));
    if (options_.pairwise()) train_contexts(worker, words[position], alpha);
  }
  if (!options_.pairwise()) train_contexts(worker, words[position], alpha);
}

/// The contexts are in `keys_`, which is empty afterwards.
void Step::train_contexts(Worker& worker, std::uint32_t centre, float alpha) {
  inputs_ = keys_.size();
  read(worker, centre, options_.negatives * (options_.cbow ? 1 : inputs_));
  make_deltas(centre, alpha);
  const std::size_t scores = keys_.size() - inputs_ - 1 + (options_.cbow ? 1 : inputs_);
  worker.compute(kFlopsPerComponent * static_cast<double>(scores * n_));
  worker.push(keys_, std::span(deltas_).first(keys_.size() * n_));
  keys_.clear();
}

void Step::read(Worker& worker, std::uint32_t centre, std::size_t samples) {
  keys_.push_back(shared_.output(centre));
  const std::size_t direct = keys_.size();
  keys_.resize(direct + samples);
  if (values_.size() < keys_.size() * n_) {
    values_.resize(keys_.size() * n_);
    deltas_.resize(values_.size());
  }
  worker.pull(std::span(keys_).first(direct), std::span(values_).first(direct * n_));
  worker.pull_sample(std::span(keys_).subspan(direct),
                     std::span(values_).subspan(direct * n_, samples * n_));
}

void Step::make_deltas(std::uint32_t centre, float alpha) {
  float* values = values_.data();
  float* deltas = deltas_.data();
  std::fill_n(deltas, (inputs_ + 1) * n_, 0.0F);
  const Target target{shared_.output(centre), values + inputs_ * n_, deltas + inputs_ * n_};
  const auto noise = [&](std::size_t prediction) {
    const std::size_t first = inputs_ + 1 + prediction * options_.negatives;
    return Noise{std::span(keys_).subspan(first, options_.negatives), values + first * n_,
                 deltas + first * n_};
  };
  if (options_.cbow) {
    predict_from_mean(values, inputs_, n_, target, noise(0), alpha, shared_.sigmoid,
                      options_.share_gradient, mean_.data(), deltas, losses_);
    return;
  }
  for (std::size_t i = 0; i < inputs_; ++i) {
    predict(values + i * n_, n_, target, noise(i), alpha, shared_.sigmoid, deltas + i * n_,
            losses_);
  }
}

}  // namespace pslab::word2vec
