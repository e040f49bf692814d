// Some keys are replicated on every node, the others move to where they are used (NuPS:
// Renz-Wieland et al., SIGMOD 2022) or stay where they are (as in Parallax and BiPS: replicate what
// is hot, a parameter server for the rest). Which keys are replicated is decided once: those with
// the highest expected access frequencies, or a given list.

#include <algorithm>
#include <numeric>
#include <string>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "strategies/options/all_reduce.hpp"
#include "strategies/options/key_list.hpp"

namespace pslab {
namespace {

constexpr double kHotFactor = 100.0;
constexpr const char* kMeanOver = "candidates";

class Hybrid final : public Strategy {
 public:
  explicit Hybrid(config::Options& options)
      : hot_factor_(options.real("hot_factor", kHotFactor, 0.0, 1e12, "",
                                 "replicate a key that is accessed more than this many times as "
                                 "often as the mean key (mean_over); the published heuristic is "
                                 "100")),
        mean_over_(options.choice("mean_over", kMeanOver, {kMeanOver, "all"},
                                  "hot_factor: the mean of the keys that several nodes use, or of "
                                  "all keys (those of one node count as unused); both were "
                                  "published")),
        replicated_keys_(options.integer(
            "replicated_keys", -1, -1, static_cast<std::int64_t>(kMaxKeys), "keys",
            "replicate this many of the most accessed keys instead, or all if there "
            "are no more; -1: by hot_factor; 0: none")),
        key_list_(options.text("key_list", "",
                               "replicate the keys in this file instead: one a line, by number or "
                               "as GROUP:INDEX (columns:17); # begins a comment")),
        relocates_(options.choice("rest", "relocated", {"relocated", "static"},
                                  "keys that are not replicated move to where they are used, or "
                                  "stay on their node") == "relocated"),
        all_reduce_(read_all_reduce(options)) {
    // A resolved config names all of them, those that are not used at their defaults.
    const std::string chosen = !key_list_.empty() ? "key_list" : "replicated_keys";
    if (key_list_.empty() && replicated_keys_ < 0) return;
    const std::string problem = "has no effect with strategy." + chosen + "; remove one of them";
    if (hot_factor_ != kHotFactor) options.reject("hot_factor", problem);
    if (mean_over_ != kMeanOver) options.reject("mean_over", problem);
    if (!key_list_.empty() && replicated_keys_ >= 0) options.reject("replicated_keys", problem);
  }

  void plan(const Task& task, Plan& plan) override {
    plan.replicated =
        key_list_.empty() ? hot_keys(accesses(task)) : read_key_list(key_list_, task.keys);
    plan.all_reduce = all_reduce_;
  }

  bool relocates(Key /*key*/) const override { return relocates_; }

  Guarantees guarantees() const override {
    return {.keeps_replica_sums = all_reduce_.keeps_sums()};
  }

 private:
  static std::vector<float> accesses(const Task& task) {
    std::vector<float> all = task.direct_accesses();
    const std::vector<float>& samples = task.sample_accesses();
    if (all.empty()) all.assign(task.keys.size(), 0.0F);
    for (std::size_t key = 0; key < samples.size(); ++key) all[key] += samples[key];
    return all;
  }

  std::vector<Key> hot_keys(const std::vector<float>& accesses) const {
    if (replicated_keys_ >= 0) return most_accessed(accesses);
    const auto candidates = mean_over_ == "all" ? static_cast<std::ptrdiff_t>(accesses.size())
                                                : std::count_if(accesses.begin(), accesses.end(),
                                                                [](float n) { return n > 0.0F; });
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
  std::string mean_over_;
  std::int64_t replicated_keys_;
  std::string key_list_;
  bool relocates_;
  AllReduce all_reduce_;
};

PSLAB_REGISTER(Strategy, Hybrid, "hybrid",
               "hot keys replicated everywhere, the rest relocated (NuPS)",
               "Renz-Wieland et al., SIGMOD 2022");

}  // namespace
}  // namespace pslab
