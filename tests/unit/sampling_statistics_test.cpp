// The statistics that tests of sampling schemes rely on accept good samplers and notice bad ones.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/unit/sampling_fake.hpp"

namespace pslab::test {
namespace {

/// A sampler made of a function that gives the next key.
template <typename Next>
class Made final : public Sampler {
 public:
  explicit Made(Next next) : next_(next) {}
  void prepare(SamplingContext& /*context*/, std::size_t /*n*/, Random& /*random*/) override {}
  void pull(SamplingContext& context, std::span<Key> keys, Random& random) override {
    for (Key& key : keys) key = next_(context, random);
  }

 private:
  Next next_;
};

template <typename Next>
std::vector<Key> handed_out(Next next) {
  SamplingWorker worker(std::make_unique<Made<Next>>(next));
  // Comes and goes, and some keys are here more often than others.
  Random locality(1, "locality");
  worker.context.is_local = [&](Key key) { return locality.below(10) < 1 + key % 4 * 2; };
  return worker.rounds(100'000, 4);
}

Key draw(SamplingContext& context, Random& random) {
  return context.draw(random);
}

TEST(SamplingStatistics, AcceptIndependentDraws) {
  const std::vector<Key> keys = handed_out(draw);
  EXPECT_LT(misfit(keys, target), kMost);
  EXPECT_LT(dependence(every(keys, 0, 2), every(keys, 1, 2)), kMost);
}

TEST(SamplingStatistics, NoticeThatOneInTwentyDrawsIsUniform) {
  const auto biased = [](SamplingContext& context, Random& random) {
    return random.below(20) == 0 ? kOthers + random.below(kSamples) : context.draw(random);
  };
  EXPECT_GT(misfit(handed_out(biased), target), kMuch);
}

TEST(SamplingStatistics, NoticeAKeyThatTheTargetNeverGives) {
  const auto leaking = [](SamplingContext& context, Random& random) {
    return random.below(10'000) == 0 ? 0 : context.draw(random);
  };
  EXPECT_GT(misfit(handed_out(leaking), target), kMuch);
}

TEST(SamplingStatistics, NoticeThatOneInFiveDrawsIsRepeated) {
  const auto repeating = [last = Key{0}](SamplingContext& context, Random& random) mutable {
    if (last == 0 || random.below(5) != 0) last = context.draw(random);
    return last;
  };
  const std::vector<Key> keys = handed_out(repeating);
  EXPECT_GT(dependence(every(keys, 0, 2), every(keys, 1, 2)), kMuch);
  EXPECT_LT(misfit(every(keys, 0, 20), target), kMost) << "which is not the flaw";
}

TEST(SamplingStatistics, NoticeThatWhatIsNotLocalIsSometimesLost) {
  const auto losing = [](SamplingContext& context, Random& random) {
    const Key key = context.draw(random);
    return context.is_local(key) || random.below(5) != 0 ? key : context.draw(random);
  };
  EXPECT_GT(misfit(handed_out(losing), target), kMuch);
}

}  // namespace
}  // namespace pslab::test
