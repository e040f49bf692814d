#include "workloads/synthetic/task.hpp"

#include <algorithm>
#include <utility>

#include "workloads/synthetic/drawn_steps.hpp"
#include "workloads/synthetic/pushes.hpp"

namespace pslab::synthetic {
namespace {

class Task final : public WorkerTask {
 public:
  Task(const Options& options, const Popularity& popularity)
      : options_(options), popularity_(popularity) {}

  void train(Worker& worker, int epoch) override {
    DrawnSteps drawn(options_, popularity_, worker.id(),
                     worker.random("direct accesses", static_cast<std::uint64_t>(epoch)));
    keys_.resize(options_.accesses);
    values_.resize(options_.accesses * options_.stored_length);
    deltas_.clear();
    for (std::size_t i = 0; i < options_.accesses; ++i) add_delta(deltas_, options_.stored_length);
    for (std::uint64_t step = 0; step < options_.steps; ++step) {
      while (drawn.next() < options_.steps && drawn.next() <= step + options_.lookahead) {
        announce(worker, drawn, step);
      }
      perform(worker, drawn.keys(step), sizes_of(options_, step));
      worker.advance_clock();
    }
    announced_ = {};
    keys_ = {};  // thousands of workers may share this memory
    values_ = {};
    deltas_ = {};
  }

  void evaluate(Worker& worker) override {
    if (options_.evaluate) count_pushes(worker, keys_of(options_), sums_);
  }

  std::vector<double> take_sums() override { return std::exchange(sums_, no_sums()); }

 private:
  /// Draws the next steps that are announced together, and says what they will access. `step` is
  /// the present one.
  void announce(Worker& worker, DrawnSteps& drawn, std::uint64_t step) {
    const std::uint64_t first = drawn.next();
    const std::uint64_t end = std::min(first + options_.together, options_.steps);
    const std::uint64_t samples = options_.samples_before(end) - options_.samples_before(first);
    announced_.clear();
    while (drawn.next() < end) {
      const std::span<const Key> keys = drawn.draw();
      announced_.insert(announced_.end(), keys.begin(), keys.end());
    }
    const std::uint64_t clock = worker.clock() - step;
    if (options_.lookahead > 0 && !announced_.empty()) {
      worker.intent(announced_, clock + first, clock + end);
    }
    if (samples > 0) worker.prepare_sample(samples, clock + first, clock + end);
  }

  /// Reads all keys, direct ones first, computes, and writes those in the middle: the last of the
  /// direct ones and the first of the samples.
  void perform(Worker& worker, std::span<const Key> direct, const StepSizes& sizes) {
    const std::size_t length = options_.stored_length;
    const std::span<Key> samples = std::span(keys_).subspan(sizes.direct, sizes.samples);
    const std::span<float> values = values_;
    std::copy(direct.begin(), direct.end(), keys_.begin());
    if (sizes.direct > 0) worker.pull(direct, values.first(sizes.direct * length));
    if (sizes.samples > 0) {
      worker.pull_sample(samples, values.subspan(sizes.direct * length, sizes.samples * length));
    }
    worker.compute(options_.compute_per_step);
    const std::size_t writes = sizes.direct_writes + sizes.sample_writes;
    if (writes > 0) {
      worker.push(std::span(keys_).subspan(sizes.direct - sizes.direct_writes, writes),
                  std::span(deltas_).first(writes * length));
    }
    sums_[kPushes] += static_cast<double>(writes);
  }

  const Options& options_;
  const Popularity& popularity_;
  std::vector<Key> keys_;  ///< of a step
  std::vector<Key> announced_;
  std::vector<float> values_;
  std::vector<float> deltas_;  ///< 1 in the first component, which counts
  std::vector<double> sums_ = no_sums();
};

}  // namespace

std::unique_ptr<WorkerTask> make_task(const Options& options, const Popularity& popularity) {
  return std::make_unique<Task>(options, popularity);
}

}  // namespace pslab::synthetic
