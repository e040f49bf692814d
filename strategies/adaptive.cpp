// Every key is managed as the nodes' announced accesses ask for: moved to the only node that is
// interested in it, replicated on several while several are (AdaPM; Renz-Wieland et al., VLDB
// 2023). Nothing to tune: when to act on an intent follows from how fast the workers go.

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/registry.hpp"
#include "api/strategy.hpp"

namespace pslab {
namespace {

class Adaptive final : public Strategy {
 public:
  explicit Adaptive(config::Options& options)
      : technique_(options.choice("technique", "both", {"both", "relocate", "replicate"},
                                  "what is done for a key that a node is interested in: as other "
                                  "nodes' interests ask for, or one of them always")),
        timing_(options.choice("timing", "adaptive", {"adaptive", "at_once"},
                               "when to act on an intent: as late as is safe by the workers' pace, "
                               "or when it is announced")),
        certainty_(options.real("certainty", 0.9999, 0.5, 1.0 - 1e-9, "",
                                "timing adaptive: probability that a worker does not reach an "
                                "intent before it has been acted on, if its clocks are a Poisson "
                                "process")),
        deviations_(normal_quantile(certainty_)),
        rounds_(options.real("rounds_per_second", 1000.0, 1e-3, 1e9, "1/s",
                             "how often a node acts on intents and synchronises its replicas")),
        location_caches_(options.flag("location_caches", false,
                                      "nodes remember where a key was last seen, and ask there "
                                      "first when they have not announced an access")) {}

  void plan(const Task& /*task*/, Plan& plan) override {
    plan.intents = IntentRounds{rounds_, timing_ == "adaptive"};
    plan.location_caches = location_caches_;
  }
  bool relocates(Key /*key*/) const override { return true; }

  bool moves(Key /*key*/, std::uint32_t others_interested) const override {
    return technique_ == "relocate" || (technique_ == "both" && others_interested == 0);
  }

  /// The number of clocks that a worker passes during this round and the next, with the given
  /// certainty.
  std::uint64_t action_window(std::uint64_t clocks, double& expected) const override {
    if (timing_ == "at_once") return std::numeric_limits<std::uint64_t>::max();
    const auto now = static_cast<double>(clocks);
    if (clocks > 0) expected = expected == 0.0 ? now : 0.9 * expected + 0.1 * now;
    return poisson_quantile(2.0 * std::max(now, expected));
  }

  // A push without an intent may be under way to a node that is about to get a replica instead of
  // the key: its worker may read the key elsewhere before that replica has passed the push on. A
  // worker may also read another node's replica, and then one of its own that is a round behind.
  Guarantees guarantees() const override {
    const bool one_copy = technique_ == "relocate";
    return {.reads_own_writes = technique_ != "both" && !location_caches_,
            .monotonic_reads = one_copy,
            .linearizable = one_copy};
  }

 private:
  /// The smallest n that a Poisson variable of this mean does not exceed with that certainty.
  std::uint64_t poisson_quantile(double mean) const {
    constexpr double kLarge = 500.0;  // beyond, by the normal distribution with the same moments
    if (mean > kLarge) {
      return static_cast<std::uint64_t>(std::ceil(mean + deviations_ * std::sqrt(mean)));
    }
    double term = std::exp(-mean);
    double up_to = term;
    std::uint64_t n = 0;
    while (up_to < certainty_) {
      ++n;
      term *= mean / static_cast<double>(n);
      up_to += term;
    }
    return n;
  }

  /// How many standard deviations above its mean a normal variable does not exceed with
  /// `certainty`.
  static double normal_quantile(double certainty) {
    double low = -10.0;
    double high = 10.0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (0.5 * std::erfc(-middle / std::sqrt(2.0)) < certainty ? low : high) = middle;
    }
    return high;
  }

  std::string technique_;
  std::string timing_;
  double certainty_;
  double deviations_;
  double rounds_;
  bool location_caches_;
};

PSLAB_REGISTER(Strategy, Adaptive, "adaptive",
               "each key moved or replicated as announced accesses ask for (AdaPM)",
               "Renz-Wieland et al., CIKM 2023");

}  // namespace
}  // namespace pslab
