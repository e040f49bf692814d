// Keys that a worker has lately pulled for themselves serve as samples too (NuPS, section 5:
// direct-access repurposing): they are likely to be still here. Samples then follow the
// distribution of the direct accesses; the target only decides which group of keys they come from.

#include "api/registry.hpp"
#include "api/sampling.hpp"

namespace pslab {
namespace {

class DirectReuseSampler final : public Sampler {
 public:
  void prepare(SamplingContext& /*context*/, std::size_t /*n*/, Random& /*random*/) override {}

  void pull(SamplingContext& context, std::span<Key> keys, Random& random) override {
    for (Key& key : keys) key = choose(context, random);
  }

 private:
  static constexpr int kMostTries = 50;

  static Key choose(const SamplingContext& context, Random& random) {
    const Key drawn = context.draw(random);
    if (context.recent.empty()) return drawn;
    const std::size_t group = context.keys->group_of(drawn);
    for (int i = 0; i < kMostTries; ++i) {
      const Key key = context.recent[random.below(context.recent.size())];
      if (context.keys->group_of(key) == group) return key;
    }
    return drawn;
  }
};

class DirectReuse final : public SamplingScheme {
 public:
  explicit DirectReuse(config::Options& options)
      : recent_(options.integer("recent", 1000, 1, 1'000'000, "keys",
                                "samples come from this many of the worker's latest direct "
                                "accesses; where they have no key of the group that the target "
                                "distribution gives, from that distribution")) {}
  Conformity conformity() const override { return Conformity::kNone; }
  std::size_t recent_pulls() const override { return static_cast<std::size_t>(recent_); }
  std::unique_ptr<Sampler> make_sampler() const override {
    return std::make_unique<DirectReuseSampler>();
  }

 private:
  std::int64_t recent_;
};

PSLAB_REGISTER(SamplingScheme, DirectReuse, "direct_reuse",
               "keys of the worker's recent direct accesses are handed out as samples",
               "Renz-Wieland et al., SIGMOD 2022, section 5");

}  // namespace
}  // namespace pslab
