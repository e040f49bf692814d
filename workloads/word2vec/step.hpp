// One centre of a sentence: reads the vectors that it needs, predicts, pushes the changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/worker.hpp"
#include "workloads/word2vec/gradients.hpp"
#include "workloads/word2vec/sentences.hpp"
#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

class Step {
 public:
  explicit Step(const Shared& shared);

  /// Trains the word at `position` with its contexts in `words`.
  void train(Worker& worker, std::span<const std::uint32_t> words, std::size_t position,
             Context context, float alpha);

  /// Of all centres so far.
  const Losses& losses() const { return losses_; }

 private:
  void train_contexts(Worker& worker, std::uint32_t centre, float alpha);
  void read(Worker& worker, std::uint32_t centre, std::size_t samples);
  void make_deltas(std::uint32_t centre, float alpha);

  const Shared& shared_;
  const Options& options_;
  std::size_t n_;           ///< floats of a vector
  std::size_t inputs_ = 0;  ///< contexts that are read
  /// Contexts, the centre, samples.
  std::vector<Key> keys_;
  std::vector<float> values_;
  std::vector<float> deltas_;
  std::vector<float> mean_;  ///< cbow: of the contexts, and its change
  Losses losses_;
};

}  // namespace pslab::word2vec
