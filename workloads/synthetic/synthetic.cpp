// Accesses without a task: how many, to which keys, how skewed, how local and how stable they are,
// and what is known of them beforehand are options, so that management strategies can be told apart
// by one property at a time. The first component of a value counts the pushes of its key, so that
// lost updates show.

#include <algorithm>
#include <memory>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/error.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/popularity.hpp"
#include "workloads/synthetic/task.hpp"

namespace pslab {
namespace {

class Synthetic final : public Workload {
 public:
  explicit Synthetic(config::Options& options) : options_(options) {}

  void load(const LoadContext& context) override {
    workers_ = context.nodes * context.workers_per_node;
    popularity_ = std::make_unique<synthetic::Popularity>(options_, workers_, context.seed);
  }

  std::vector<std::string> metric_names() const override {
    if (!options_.evaluate) return {};
    return {"test_lost_updates"};
  }

  KeySpace keys() const override {
    return KeySpace({{"keys", options_.keys, options_.stored_length}},
                    options_.value_length / options_.stored_length);
  }

  void initial_value(Key /*key*/, std::span<float> value) const override {
    std::ranges::fill(value, 0.0F);
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) override {
    return synthetic::make_task(options_, *popularity_);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    pushes_ += sums[synthetic::kPushes];
    if (!options_.evaluate) return {};
    if (sums[synthetic::kInexact] > 0.0) {
      fail_run(
          "epoch {}: {} keys were pushed {:.0f} times or more, which their values do not count "
          "exactly. Make the run shorter (workload.steps, train.epochs) or its accesses less "
          "skewed, or set workload.evaluate: false",
          epoch, sums[synthetic::kInexact], double{synthetic::kExactCounts});
    }
    return {{"test_lost_updates", pushes_ - sums[synthetic::kCounted]}};
  }

  std::vector<float> direct_accesses() const override {
    std::vector<float> expected(options_.keys, 0.0F);
    // Then every key is one worker's.
    if (options_.locality == 1.0 && options_.phases == 1) return expected;
    for (std::uint64_t phase = 0; phase < options_.phases; ++phase) {
      const std::uint64_t steps_before = popularity_->first_step(phase);
      const std::uint64_t steps_after = popularity_->first_step(phase + 1);
      popularity_->add_direct(phase,
                              reads_and_writes(options_.direct_before(steps_after) -
                                               options_.direct_before(steps_before)),
                              expected);
    }
    return expected;
  }

  std::vector<float> sample_accesses() const override {
    if (options_.sample_share == 0.0) return {};
    std::vector<float> expected(options_.keys, 0.0F);
    popularity_->add_samples(reads_and_writes(options_.samples_before(options_.steps)), expected);
    return expected;
  }

  std::function<Key(Random&)> sample_distribution() const override {
    if (options_.sample_share == 0.0) return {};
    return [this](Random& random) { return popularity_->draw_sample(random); };
  }

 private:
  /// Of all workers, when each reads so many keys.
  double reads_and_writes(std::uint64_t reads) const {
    return static_cast<double>(workers_) * static_cast<double>(reads) *
           (1.0 + options_.write_share);
  }

  synthetic::Options options_;
  WorkerId workers_ = 0;
  std::unique_ptr<synthetic::Popularity> popularity_;
  double pushes_ = 0.0;  ///< keys pushed so far by all workers
};

PSLAB_REGISTER(Workload, Synthetic, "synthetic",
               "accesses without a task: chosen skew, locality, sampling, drift and announcements",
               "");

}  // namespace
}  // namespace pslab
