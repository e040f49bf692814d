#include "workloads/word2vec/sentences.hpp"

#include <algorithm>
#include <cmath>

namespace pslab::word2vec {
namespace {

/// Of alpha.
constexpr double kLeastShare = 1e-4;
/// Words of a part of the text.
constexpr std::size_t kPartTokens = 1000;
constexpr double kAllBits = 0x1.0p32;

}  // namespace

SentenceReader::SentenceReader(const Shared& shared, std::span<const data::Token> tokens, int epoch,
                               const Draws& draws)
    : shared_(shared),
      tokens_(tokens),
      epoch_(epoch),
      subsampling_(draws.subsampling),
      windows_(draws.windows),
      order_(shared.options.shuffle ? tokens.size() / kPartTokens + 1 : 1, draws.order) {}

void SentenceReader::read(Sentences& group, std::size_t count) {
  group.words.clear();
  group.reach.clear();
  group.ends.clear();
  group.pairs.clear();
  group.alpha = alpha();
  while (group.ends.size() < count && find_sentence()) read_sentence(group);
}

/// Goes on to the next part that has a sentence, if this one has none. False: the end.
bool SentenceReader::find_sentence() {
  while (part_.empty()) {
    if (next_part_ == order_.size()) return false;
    const std::size_t part = order_(next_part_++);
    part_ = data::sentences(tokens_, tokens_.size() * part / order_.size(),
                            tokens_.size() * (part + 1) / order_.size());
  }
  return true;
}

void SentenceReader::read_sentence(Sentences& group) {
  const std::size_t begin = group.words.size();
  std::size_t length = 0;
  do {
    const std::uint32_t word = part_[length].word();
    if (subsampling_.bits() < shared_.keep[word]) group.words.push_back(word);
  } while (++length < part_.size() && !part_[length].begins());
  part_ = part_.subspan(length);
  done_ += length;
  if (group.words.size() < begin + 2) {
    group.words.resize(begin);
    return;
  }
  const std::size_t before = group.pairs.empty() ? 0 : group.pairs.back();
  group.pairs.push_back(before + choose_windows(group, begin));
  group.ends.push_back(group.words.size());
}

/// Returns the pairs of the sentence that begins there.
std::size_t SentenceReader::choose_windows(Sentences& group, std::size_t begin) {
  const std::size_t end = group.words.size();
  std::size_t pairs = 0;
  for (std::size_t position = begin; position < end; ++position) {
    const auto reach = static_cast<std::uint32_t>(1 + windows_.below(shared_.options.window));
    group.reach.push_back(reach);
    pairs += context_of(position, reach, begin, end).size();
  }
  return pairs;
}

double SentenceReader::alpha() const {
  const double done =
      static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(tokens_.size(), 1));
  const double progress = (static_cast<double>(epoch_ - 1) + done) / shared_.epochs;
  return shared_.options.alpha * std::max(1.0 - progress, kLeastShare);
}

std::uint64_t keep_threshold(double share, double subsample) {
  if (subsample == 0.0 || share == 0.0) return std::uint64_t{1} << 32;
  const double ratio = subsample / share;
  return static_cast<std::uint64_t>(std::min(std::sqrt(ratio) + ratio, 1.0) * kAllBits);
}

double expected_contexts(double length, std::uint32_t window) {
  if (length <= 0.0) return 0.0;
  double pairs = 0.0;
  for (std::uint32_t distance = 1; distance <= window && distance < length; ++distance) {
    const double reached = static_cast<double>(window - distance + 1) / window;
    pairs += 2.0 * (length - distance) * reached;
  }
  return pairs / length;
}

}  // namespace pslab::word2vec
