#include "workloads/knowledge_graph/task.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "workloads/knowledge_graph/metrics.hpp"
#include "workloads/knowledge_graph/step.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

/// Triples to announce ahead: for strategies that act at once, and where intents wait.
constexpr std::size_t kAhead = 16;
constexpr std::size_t kFarAhead = 1024;

class Task final : public WorkerTask {
 public:
  explicit Task(const Shared& shared)
      : shared_(shared), sums_(number_of_sums(shared.held_out.size()), 0.0) {}

  void train(Worker& worker, int epoch) override {
    if (shared_.options.partition_relations) localize_relations(worker);
    epoch_ = epoch;
    const auto number = static_cast<std::uint64_t>(epoch);
    const auto own = shared_.share(worker.id(), worker.id() + 1);
    std::vector<Triple> triples(own.begin(), own.end());
    worker.random("triple order", number).shuffle(std::span(triples));
    Random dropout = worker.random("dropout", number);
    Step step(shared_);  // made anew: thousands of workers may share this memory
    const std::size_t batch = shared_.options.batch;
    const std::size_t ahead = batches_ahead(worker);
    // An intent that waits is best announced for as short a time as it is needed.
    const std::size_t part = worker.intents_wait() ? std::min<std::size_t>(ahead, 1) : ahead;
    announced_ = 0;
    first_clock_ = worker.clock();
    for (std::size_t i = 0, done = 0; i < triples.size(); i += batch, ++done) {
      const auto now = std::span(triples).subspan(i, std::min(batch, triples.size() - i));
      if (part == 0) {
        worker.prepare_sample(step.samples(now.size()), worker.clock(), worker.clock() + 1);
      } else if (done % part == 0) {
        announce_until(worker, triples, done + part + ahead, part);
      }
      add(step.train(worker, now, dropout), epoch);
      worker.advance_clock();
    }
  }

  void evaluate(Worker& worker) override {
    if (!shared_.ranks_after(epoch_)) return;
    for (std::size_t split = 0; split < shared_.held_out.size(); ++split) {
      const Evaluation found = kge::evaluate(shared_, shared_.held_out[split], worker);
      sums_[kNotNumbers] += found.not_numbers;
      add_ranks(found, split, sums_);
    }
  }

  std::vector<double> take_sums() override {
    return std::exchange(sums_, std::vector<double>(sums_.size(), 0.0));
  }

 private:
  /// Those that only this node trains: one worker does it.
  void localize_relations(Worker& worker) {
    const WorkerId per_node = worker.num_workers() / worker.num_nodes();
    if (worker.id() % per_node == 0) {
      keys_.clear();
      for (const Triple& triple : shared_.share(worker.id(), worker.id() + per_node)) {
        keys_.push_back(shared_.relation_key(triple.relation));
      }
      std::sort(keys_.begin(), keys_.end());
      keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
      worker.wait(worker.localize_async(keys_));
    }
    worker.barrier();
  }

  std::size_t batches_ahead(const Worker& worker) const {
    const std::int64_t given = shared_.options.announce_ahead;
    const std::size_t triples = given >= 0              ? static_cast<std::size_t>(given)
                                : worker.intents_wait() ? kFarAhead
                                                        : kAhead;
    return (triples + shared_.options.batch - 1) / shared_.options.batch;
  }

  /// Announces the batches before number `until` that have not been, a part at a time. A clock is a
  /// batch.
  void announce_until(Worker& worker, std::span<const Triple> triples, std::size_t until,
                      std::size_t part) {
    const std::size_t batch = shared_.options.batch;
    until = std::min(until, (triples.size() + batch - 1) / batch);
    while (announced_ < until) {
      const std::size_t count = std::min(part, until - announced_);
      const std::size_t first = announced_ * batch;
      const std::size_t number = std::min(count * batch, triples.size() - first);
      keys_.clear();
      for (const Triple& triple : triples.subspan(first, number)) {
        keys_.insert(keys_.end(), {Key{triple.subject}, shared_.relation_key(triple.relation),
                                   Key{triple.object}});
      }
      const std::uint64_t start = first_clock_ + announced_;
      worker.intent(keys_, start, start + count);
      worker.prepare_sample(samples(number, count), start, start + count);
      announced_ += count;
    }
  }

  std::size_t samples(std::size_t triples, std::size_t batches) const {
    const std::size_t negatives = shared_.options.negatives;
    return shared_.options.share_negatives ? batches * negatives : 2 * triples * negatives;
  }

  void add(const Step::Result& result, int epoch) {
    if (!std::isfinite(result.loss + result.scores)) {
      fail_run(
          "epoch {}: the scores of a training triple and its negatives are infinite or no number: "
          "training diverged. Try a smaller workload.learning_rate (now {}) in a new run",
          epoch, shared_.options.rate);
    }
    sums_[kLoss] += result.loss;
    sums_[kScores] += result.scores;
  }

  const Shared& shared_;
  std::vector<double> sums_;
  std::vector<Key> keys_;
  int epoch_ = 0;
  std::size_t announced_ = 0;  ///< batches of this epoch
  std::uint64_t first_clock_ = 0;
};

}  // namespace

std::unique_ptr<WorkerTask> make_task(const Shared& shared) {
  return std::make_unique<Task>(shared);
}

}  // namespace pslab::kge
