// A task for runs whose history is checked: every worker performs random operations of all kinds.
// Each push adds 1 to all floats of its keys, so the sum of all values after an epoch is known.

#include <algorithm>
#include <numeric>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/error.hpp"

namespace pslab::test {
namespace {

constexpr Key kKeysPerGroup = 8;
constexpr std::uint32_t kLong = 5;  // floats of a value in the second group; 1 in the first

class RandomTask final : public WorkerTask {
 public:
  RandomTask(const KeySpace& keys, std::int64_t operations)
      : keys_(keys), operations_(operations) {}

  void train(Worker& worker, int epoch) override {
    Random random = worker.random("operations", static_cast<std::uint64_t>(epoch));
    for (std::int64_t i = 0; i < operations_; ++i) {
      if (i == operations_ / 2) worker.barrier();
      operate(worker, random);
    }
  }

  void evaluate(Worker& worker) override {
    std::vector<Key> all(keys_.size());
    std::iota(all.begin(), all.end(), Key{0});
    std::vector<float> values(keys_.total_floats());
    worker.pull(all, values);
    found_ = std::accumulate(values.begin(), values.end(), 0.0);
  }

  std::vector<double> take_sums() override {
    const std::vector<double> sums = {added_, found_};
    added_ = 0.0;
    return sums;
  }

 private:
  // Few keys, low ones often, sometimes twice in a call.
  std::vector<Key> some_keys(Random& random) const {
    std::vector<Key> keys(1 + random.below(4));
    for (Key& key : keys) {
      key = random.below(keys_.size());
      if (random.below(2) == 0) key = random.below(key + 1);
    }
    return keys;
  }

  std::vector<float> room(std::span<const Key> keys, float fill) const {
    std::size_t floats = 0;
    for (const Key key : keys) floats += keys_.length(key);
    return std::vector<float>(floats, fill);
  }

  Pending push(Worker& worker, Random& random, bool wait) {
    const std::vector<Key> keys = some_keys(random);
    const std::vector<float> deltas = room(keys, 1.0F);
    added_ += static_cast<double>(deltas.size());
    if (wait) return worker.push_async(keys, deltas);
    worker.push(keys, deltas);
    return {};
  }

  void operate(Worker& worker, Random& random) {
    if (random.below(2) == 0) worker.advance_clock();
    if (random.below(3) == 0) {
      const std::uint64_t start = worker.clock() + random.below(4);
      worker.intent(some_keys(random), start, start + 1 + random.below(8));
    }
    const std::vector<Key> keys = some_keys(random);
    std::vector<float> values = room(keys, -1.0F);
    switch (random.below(9)) {
      case 0:
      case 1:
        push(worker, random, false);
        break;
      case 2:
        worker.wait(push(worker, random, true));
        break;
      case 3:
      case 4:
        worker.pull(keys, values);
        break;
      case 5: {  // what may happen while a pull is under way
        const Pending pull = worker.pull_async(keys, values);
        const Pending push_under_way = push(worker, random, true);
        push(worker, random, false);
        worker.localize(some_keys(random));
        worker.compute(100.0);
        worker.wait(pull);
        worker.wait(push_under_way);
        break;
      }
      case 6:
        worker.localize(keys);
        break;
      case 7: {
        std::vector<Key> samples(2);
        worker.prepare_sample(samples.size(), worker.clock(), worker.clock() + 1);
        std::vector<float> sampled(samples.size() * kLong);
        worker.pull_sample(samples, sampled);
        break;
      }
      default:
        worker.wait(worker.localize_async(keys));
        worker.compute(static_cast<double>(random.below(1000)));
        break;
    }
  }

  const KeySpace& keys_;
  std::int64_t operations_;
  double added_ = 0.0;
  double found_ = 0.0;
};

class RandomWorkload final : public Workload {
 public:
  explicit RandomWorkload(config::Options& options)
      : operations_(options.integer("operations", 30, 1, 1'000'000, "", "of a worker and epoch")),
        check_sum_(options.flag("check_sum", true, "the sum of all values is that of all pushes")),
        keys_({{"short", kKeysPerGroup, 1}, {"long", kKeysPerGroup, kLong}}) {}

  void load(const LoadContext& context) override {
    workers_ = context.nodes * context.workers_per_node;
  }
  std::vector<std::string> metric_names() const override { return {"sum"}; }
  KeySpace keys() const override { return keys_; }
  void initial_value(Key /*key*/, std::span<float> value) const override {
    std::ranges::fill(value, 0.0F);
  }
  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) override {
    return std::make_unique<RandomTask>(keys_, operations_);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int /*epoch*/) override {
    added_ += sums[0];
    const double found = sums[1] / workers_;  // all have looked at everything
    if (check_sum_ && found != added_)
      fail_run("the sum of all values is {}; pushed was {}", found, added_);
    return {{"sum", added_}};
  }

  std::function<Key(Random&)> sample_distribution() const override {
    return [](Random& random) { return kKeysPerGroup + random.below(kKeysPerGroup); };
  }
  std::vector<float> direct_accesses() const override {  // early keys are hot
    std::vector<float> accesses(keys_.size());
    for (Key key = 0; key < keys_.size(); ++key)
      accesses[key] = 1000.0F / static_cast<float>(key + 1);
    return accesses;
  }
  std::vector<KeyCount> node_accesses(NodeId node) const override {  // each node its own favourite
    std::vector<KeyCount> counts;
    for (std::uint32_t key = 0; key < keys_.size(); ++key) {
      counts.push_back({key, key % 5 == node % 5 ? 100.0F : 1.0F});
    }
    return counts;
  }

 private:
  std::int64_t operations_;
  bool check_sum_;
  KeySpace keys_;
  double added_ = 0.0;
  WorkerId workers_ = 0;
};

PSLAB_REGISTER(Workload, RandomWorkload, "random_accesses", "operations of all kinds, for tests",
               "");

}  // namespace
}  // namespace pslab::test
