// Only keys that are local are handed out, so samples cost no message (NuPS, section 5: local
// sampling). What a worker gets depends on what its node holds. Two biases come with it: a key that
// every node has a replica of is handed out by all of them, a relocated one by one node only, so
// replicated keys come about as many times too often as there are nodes; and a scan gives a local
// key the weight of all keys between it and the local one before.

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "strategies/sampling/replacement.hpp"

namespace pslab {
namespace {

struct Settings {
  explicit Settings(config::Options& options)
      : scan(options.choice("method", "rejection", {"rejection", "scan"},
                            "draw until a key is local; or take the next local key upward from "
                            "the drawn one in its group of keys, also one that the target "
                            "distribution does not give") == "scan"),
        tries(options.integer("tries", 1000, 1, 1'000'000, "draws",
                              "after this many the last one is used, local or not; a scan tries "
                              "again only with correct_replicas")),
        correct_replicas(options.flag("correct_replicas", false,
                                      "accept replicated keys with probability 1 / nodes, as each "
                                      "is local on all nodes; as published: false")),
        replacement(options) {}

  bool scan;
  std::int64_t tries;
  bool correct_replicas;
  Replacement replacement;
};

class LocalSampler final : public Sampler {
 public:
  explicit LocalSampler(const Settings& settings) : settings_(settings) {}

  void prepare(SamplingContext& /*context*/, std::size_t /*n*/, Random& /*random*/) override {}

  void pull(SamplingContext& context, std::span<Key> keys, Random& random) override {
    settings_.replacement.fill(keys, [&] { return choose(context, random); });
  }

 private:
  Key choose(const SamplingContext& context, Random& random) const {
    Key key = 0;
    for (std::int64_t i = 0; i < settings_.tries; ++i) {
      key = context.draw(random);
      const bool local = settings_.scan ? scan(context, key) : context.is_local(key);
      if (!local && settings_.scan) break;  // it would have found any
      if (local && accepts(context, key, random)) break;
    }
    return key;
  }

  /// Moves `key` to the next local one in its group, which may be itself. False: there is none.
  static bool scan(const SamplingContext& context, Key& key) {
    const std::size_t group = context.keys->group_of(key);
    const Key first = context.keys->first(group);
    const Key end = context.keys->first(group + 1);
    for (Key left = end - first; left > 0; --left) {
      if (context.is_local(key)) return true;
      if (++key == end) key = first;
    }
    return false;
  }

  bool accepts(const SamplingContext& context, Key key, Random& random) const {
    return !settings_.correct_replicas || !context.is_replicated(key) ||
           random.below(context.nodes) == 0;
  }

  Settings settings_;
};

class Local final : public SamplingScheme {
 public:
  explicit Local(config::Options& options) : settings_(options) {}
  Conformity conformity() const override { return Conformity::kNone; }
  std::unique_ptr<Sampler> make_sampler() const override {
    return std::make_unique<LocalSampler>(settings_);
  }

 private:
  Settings settings_;
};

PSLAB_REGISTER(SamplingScheme, Local, "local", "only keys that are local are handed out",
               "Renz-Wieland et al., SIGMOD 2022, section 5");

}  // namespace
}  // namespace pslab
