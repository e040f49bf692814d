#include "workloads/synthetic/accesses.hpp"
#include "workloads/synthetic/popularity.hpp"
#include "workloads/synthetic/task.hpp"

namespace pslab::synthetic {
namespace {

class DrawnAccesses final : public Accesses {
 public:
  DrawnAccesses(const Options& options, const LoadContext& context)
      : options_(options),
        workers_(context.nodes * context.workers_per_node),
        popularity_(options, workers_, context.seed) {}

  KeySpace keys() const override { return keys_of(options_); }

  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) const override {
    return synthetic::make_task(options_, popularity_);
  }

  std::vector<float> direct_accesses() const override {
    std::vector<float> expected(options_.keys, 0.0F);
    // Then every key is one worker's.
    if (options_.locality == 1.0 && options_.phases == 1) return expected;
    for (std::uint64_t phase = 0; phase < options_.phases; ++phase) {
      const std::uint64_t steps_before = popularity_.first_step(phase);
      const std::uint64_t steps_after = popularity_.first_step(phase + 1);
      popularity_.add_direct(phase,
                             reads_and_writes(options_.direct_before(steps_after) -
                                              options_.direct_before(steps_before)),
                             expected);
    }
    return expected;
  }

  std::vector<float> sample_accesses() const override {
    if (options_.sample_share == 0.0) return {};
    std::vector<float> expected(options_.keys, 0.0F);
    popularity_.add_samples(reads_and_writes(options_.samples_before(options_.steps)), expected);
    return expected;
  }

  std::vector<KeyCount> node_accesses(NodeId /*node*/) const override { return {}; }

  std::function<Key(Random&)> sample_distribution() const override {
    if (options_.sample_share == 0.0) return {};
    return [this](Random& random) { return popularity_.draw_sample(random); };
  }

  std::vector<std::string> data_report() const override { return {}; }
  std::uint64_t data_bytes() const override { return 0; }

 private:
  /// Of all workers, when each reads so many keys.
  double reads_and_writes(std::uint64_t reads) const {
    return static_cast<double>(workers_) * static_cast<double>(reads) *
           (1.0 + options_.write_share);
  }

  const Options& options_;
  WorkerId workers_;
  Popularity popularity_;
};

}  // namespace

std::unique_ptr<Accesses> drawn_accesses(const Options& options, const LoadContext& context) {
  return std::make_unique<DrawnAccesses>(options, context);
}

}  // namespace pslab::synthetic
