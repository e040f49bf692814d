// Accesses without a task: how many, to which keys, how skewed, how local and how stable they are,
// and what is known of them beforehand are options, so that management strategies can be told apart
// by one property at a time; or they are those of a recorded run. The first component of a value
// counts the pushes of its key, so that lost updates show.

#include <algorithm>
#include <memory>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/error.hpp"
#include "workloads/synthetic/accesses.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/pushes.hpp"

namespace pslab {
namespace {

class Synthetic final : public Workload {
 public:
  explicit Synthetic(config::Options& options) : options_(options) {}

  void load(const LoadContext& context) override {
    accesses_ = options_.trace.empty() ? synthetic::drawn_accesses(options_, context)
                                       : synthetic::replayed_accesses(options_, context);
  }

  std::vector<std::string> metric_names() const override {
    if (!options_.evaluate) return {};
    return {"test_lost_updates"};
  }

  KeySpace keys() const override { return accesses_->keys(); }

  void initial_value(Key /*key*/, std::span<float> value) const override {
    std::ranges::fill(value, 0.0F);
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId worker) override {
    return accesses_->make_task(worker);
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

  std::vector<double> state() const override { return {pushes_}; }
  void restore(std::span<const double> state) override { pushes_ = state[0]; }

  std::vector<float> direct_accesses() const override { return accesses_->direct_accesses(); }
  std::vector<float> sample_accesses() const override { return accesses_->sample_accesses(); }
  std::vector<KeyCount> node_accesses(NodeId node) const override {
    return accesses_->node_accesses(node);
  }
  std::function<Key(Random&)> sample_distribution() const override {
    return accesses_->sample_distribution();
  }
  std::vector<std::string> data_report() const override { return accesses_->data_report(); }
  std::uint64_t data_bytes() const override { return accesses_->data_bytes(); }

 private:
  synthetic::Options options_;
  std::unique_ptr<synthetic::Accesses> accesses_;
  double pushes_ = 0.0;  ///< keys pushed so far by all workers
};

PSLAB_REGISTER(Workload, Synthetic, "synthetic",
               "accesses without a task: chosen skew, locality, sampling, drift and announcements; "
               "or those of a recorded run",
               "");

}  // namespace
}  // namespace pslab
