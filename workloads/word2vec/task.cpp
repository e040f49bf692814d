#include "workloads/word2vec/task.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "workloads/word2vec/evaluation.hpp"
#include "workloads/word2vec/sentences.hpp"
#include "workloads/word2vec/step.hpp"

namespace pslab::word2vec {
namespace {

/// Sentences to announce ahead: for strategies that act at once, and where intents wait.
constexpr std::size_t kAhead = 4;
constexpr std::size_t kFarAhead = 64;

class Task final : public WorkerTask {
 public:
  explicit Task(const Shared& shared) : shared_(shared), sums_(no_sums()) {}

  void train(Worker& worker, int epoch) override {
    const auto number = static_cast<std::uint64_t>(epoch);
    SentenceReader reader(shared_, shared_.share(worker.id(), worker.id() + 1), epoch,
                          {worker.random("subsampling", number), worker.random("windows", number),
                           worker.random("text order", number)});
    const std::size_t ahead = sentences_ahead(worker);
    const std::size_t together = std::max<std::size_t>(ahead, 1);
    Step step(shared_);  // made anew: thousands of workers may share this memory
    Sentences current;
    Sentences next;
    announced_ = worker.clock();
    reader.read(next, together);
    announce(worker, next, ahead != 0);
    while (!next.ends.empty()) {
      std::swap(current, next);
      reader.read(next, together);
      if (ahead != 0) announce(worker, next, true);
      train_group(worker, step, current, epoch);
      if (ahead == 0) announce(worker, next, false);
    }
    sums_[kLoss] += step.losses().loss;
  }

  void evaluate(Worker& worker) override {
    const Answers answers = answer(shared_, worker);
    sums_[kNotNumbers] += static_cast<double>(answers.not_numbers);
    sums_[kSpearman] += answers.spearman;
    for (std::size_t i = 0; i < answers.right.size(); ++i) {
      sums_[kSections + i] += static_cast<double>(answers.right[i]);
    }
  }

  std::vector<double> take_sums() override { return std::exchange(sums_, no_sums()); }

 private:
  std::vector<double> no_sums() const {
    return std::vector<double>(kSections + shared_.questions.sections.size(), 0.0);
  }

  std::size_t sentences_ahead(const Worker& worker) const {
    const std::int64_t given = shared_.options.announce_ahead;
    if (given >= 0) return static_cast<std::size_t>(given);
    return worker.intents_wait() ? kFarAhead : kAhead;
  }

  /// Announces the accesses of a group, which follows those that have been. An intent that waits
  /// is best announced for as short a time as it is needed: each sentence by itself.
  void announce(Worker& worker, const Sentences& group, bool intent) {
    if (group.ends.empty()) return;
    const std::span<const std::uint32_t> words(group.words);
    std::size_t word = 0;
    std::size_t pair = 0;
    for (std::size_t i = worker.intents_wait() ? 0 : group.ends.size() - 1; i < group.ends.size();
         ++i) {
      announce_part(worker, words.subspan(word, group.ends[i] - word), group.pairs[i] - pair,
                    intent);
      word = group.ends[i];
      pair = group.pairs[i];
    }
  }

  /// A clock is a centre.
  void announce_part(Worker& worker, std::span<const std::uint32_t> words, std::size_t pairs,
                     bool intent) {
    const std::uint64_t start = announced_;
    announced_ += words.size();
    if (intent) {
      keys_.clear();
      for (const std::uint32_t word : words) {
        keys_.insert(keys_.end(), {shared_.input(word), shared_.output(word)});
      }
      worker.intent(keys_, start, announced_);
    }
    const std::size_t predictions = shared_.options.cbow ? words.size() : pairs;
    worker.prepare_sample(predictions * shared_.options.negatives, start, announced_);
    sums_[kPredictions] += static_cast<double>(predictions);
  }

  void train_group(Worker& worker, Step& step, const Sentences& group, int epoch) {
    std::size_t begin = 0;
    for (const std::size_t end : group.ends) {
      for (std::size_t i = begin; i < end; ++i) {
        step.train(worker, group.words, i, context_of(i, group.reach[i], begin, end),
                   static_cast<float>(group.alpha));
        worker.advance_clock();
      }
      begin = end;
      if (!std::isfinite(step.losses().scores)) {
        fail_run(
            "epoch {}: a score is no finite number: training diverged. Try a smaller "
            "workload.alpha (now {}) in a new run",
            epoch, shared_.options.alpha);
      }
    }
  }

  const Shared& shared_;
  std::vector<double> sums_;
  std::vector<Key> keys_;
  std::uint64_t announced_ = 0;  ///< clocks
};

}  // namespace

std::unique_ptr<WorkerTask> make_task(const Shared& shared) {
  return std::make_unique<Task>(shared);
}

}  // namespace pslab::word2vec
