#include "workloads/word2vec/accesses.hpp"

#include <cmath>

#include "workloads/word2vec/sentences.hpp"

namespace pslab::word2vec {
namespace {

/// What is pulled is pushed.
constexpr double kPullAndPush = 2.0;

}  // namespace

ExpectedAccesses expected_accesses(const Shared& shared, std::span<const data::Token> tokens) {
  const Options& options = shared.options;
  const auto kept = [&](data::Token token) {
    return static_cast<double>(shared.keep[token.word()]) * 0x1.0p-32;
  };
  std::vector<double> direct(2 * shared.words.size(), 0.0);
  ExpectedAccesses expected;
  data::for_each_sentence(tokens, [&](std::span<const data::Token> sentence) {
    double length = 0.0;
    for (const data::Token token : sentence) length += kept(token);
    // Other words of the sentence beside one that is kept: contexts are as in so long a sentence.
    const double contexts = expected_contexts(length, options.window);
    if (contexts == 0.0) return;
    const double predictions = options.cbow ? 1.0 : contexts;
    const double reads = options.pairwise() ? contexts : 1.0;
    for (const data::Token token : sentence) {
      direct[shared.input(token.word())] += kPullAndPush * kept(token) * contexts;
      direct[shared.output(token.word())] += kPullAndPush * kept(token) * reads;
    }
    expected.samples +=
        kPullAndPush * length * predictions * static_cast<double>(options.negatives);
  });
  expected.direct.assign(direct.begin(), direct.end());
  return expected;
}

std::vector<double> noise_weights(std::span<const std::uint64_t> counts, double exponent) {
  std::vector<double> weights;
  for (const std::uint64_t count : counts) {
    weights.push_back(std::pow(static_cast<double>(count), exponent));
  }
  return weights;
}

}  // namespace pslab::word2vec
