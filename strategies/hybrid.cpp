// Hot keys are replicated on every node, all others move to where they are used (NuPS: Renz-Wieland
// et al., SIGMOD 2022). Which keys are hot is decided once, from the expected access frequencies.

#include <algorithm>
#include <numeric>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "strategies/all_reduce_options.hpp"

namespace pslab {
namespace {

constexpr double kHotFactor = 100.0;

class Hybrid final : public Strategy {
 public:
  explicit Hybrid(config::Options& options)
      : hot_factor_(options.real(
            "hot_factor", kHotFactor, 0.0, 1e12, "",
            "replicate a key that is accessed more than this many times as often as the mean of "
            "the keys that "
            "several nodes use; the published heuristic is 100, over these keys or over all")),
        replicated_keys_(
            options.integer("replicated_keys", -1, -1, static_cast<std::int64_t>(kMaxKeys), "keys",
                            "replicate this many of the most accessed keys instead; -1: by "
                            "hot_factor; 0: none")),
        all_reduce_(read_all_reduce(options)) {
    // A resolved config names both, one of them at its default.
    if (replicated_keys_ >= 0 && hot_factor_ != kHotFactor) {
      options.reject("hot_factor",
                     "has no effect with strategy.replicated_keys; remove one of them");
    }
  }

  void plan(const Task& task, Plan& plan) override {
    plan.replicated = hot_keys(task);
    plan.all_reduce = all_reduce_;
  }

  bool relocates(Key /*key*/) const override { return true; }

  Guarantees guarantees() const override {
    return {.keeps_replica_sums = all_reduce_.keeps_sums()};
  }

 private:
  std::vector<Key> hot_keys(const Task& task) const {
    std::vector<float> accesses = task.direct_accesses();
    const std::vector<float>& samples = task.sample_accesses();
    if (accesses.empty()) accesses.assign(task.keys.size(), 0.0F);
    for (std::size_t key = 0; key < samples.size(); ++key) accesses[key] += samples[key];
    if (replicated_keys_ >= 0) return most_accessed(accesses);
    const auto candidates =
        std::count_if(accesses.begin(), accesses.end(), [](float n) { return n > 0.0F; });
    const double total = std::accumulate(accesses.begin(), accesses.end(), 0.0);
    const double mean = total / static_cast<double>(std::max<std::ptrdiff_t>(candidates, 1));
    std::vector<Key> hot;
    for (Key key = 0; key < accesses.size(); ++key) {
      if (accesses[key] > hot_factor_ * mean) hot.push_back(key);
    }
    return hot;
  }

  std::vector<Key> most_accessed(const std::vector<float>& accesses) const {
    std::vector<Key> keys(accesses.size());
    std::iota(keys.begin(), keys.end(), Key{0});
    const auto count =
        std::min<std::size_t>(keys.size(), static_cast<std::size_t>(replicated_keys_));
    std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end(),
                      [&](Key a, Key b) {
                        return accesses[a] != accesses[b] ? accesses[a] > accesses[b] : a < b;
                      });
    keys.resize(count);
    return keys;
  }

  double hot_factor_;
  std::int64_t replicated_keys_;
  AllReduce all_reduce_;
};

PSLAB_REGISTER(Strategy, Hybrid, "hybrid",
               "hot keys replicated everywhere, the rest relocated (NuPS)",
               "Renz-Wieland et al., SIGMOD 2022");

}  // namespace
}  // namespace pslab
