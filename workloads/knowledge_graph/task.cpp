#include "workloads/knowledge_graph/task.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/dot.hpp"
#include "workloads/knowledge_graph/evaluation.hpp"
#include "workloads/knowledge_graph/kernels.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

/// Triples to announce ahead: for strategies that act at once, and where intents wait.
constexpr std::size_t kAhead = 16;
constexpr std::size_t kFarAhead = 1024;
/// Of one component, for a score, for the gradients, and for a step of AdaGrad.
constexpr double kFlopsPerComponent = 12.0;

/// Room for `length` floats each: parts of one buffer.
class Buffer {
 public:
  explicit Buffer(std::size_t floats) : values_(floats) {}
  float* take(std::size_t length) {
    float* begin = values_.data() + taken_;
    taken_ += length;
    return begin;
  }
  std::span<float> all() { return values_; }

 private:
  std::vector<float> values_;
  std::size_t taken_ = 0;
};

/// Reads the values of a triple and its samples, and makes their deltas. Keys, values and deltas
/// are in this order: subject, relation, object, samples for the object, samples for the subject.
class Step {
 public:
  explicit Step(const Shared& shared)
      : shared_(shared),
        options_(shared.options),
        samples_(2 * options_.negatives),
        own_floats_(2 * shared.entity_floats() + shared.relation_floats()),
        keys_(3 + samples_),
        values_(own_floats_ + samples_ * shared.entity_floats()),
        deltas_(values_.size()),
        scores_(1 + samples_),
        vectors_(5 * options_.dimension + 2 * options_.relation_length()) {
    for (float** vector : {&object_query_, &subject_query_, &objects_, &subjects_, &entity_}) {
      *vector = vectors_.take(options_.dimension);
    }
    relation_ = vectors_.take(options_.relation_length());
    more_ = vectors_.take(options_.relation_length());
  }

  /// Returns the loss.
  double train(Worker& worker, const Triple& triple) {
    keys_[0] = triple.subject;
    keys_[1] = shared_.relation_key(triple.relation);
    keys_[2] = triple.object;
    worker.pull(std::span(keys_).first(3), std::span(values_).first(own_floats_));
    worker.pull_sample(std::span(keys_).subspan(3), std::span(values_).subspan(own_floats_));
    const double loss = score();
    add_samples();
    make_deltas();
    worker.compute(flops());
    worker.push(keys_, deltas_);
    return loss;
  }

  double flops() const {
    return kFlopsPerComponent * static_cast<double>(deltas_.size() / 2) +
           6.0 * options_.model->query_flops(options_.dimension);
  }

 private:
  const float* subject() const { return values_.data(); }
  const float* relation() const { return subject() + shared_.entity_floats(); }
  const float* object() const { return relation() + shared_.relation_floats(); }
  const float* sample(std::size_t i) const {
    return values_.data() + own_floats_ + i * shared_.entity_floats();
  }
  bool replaces_object(std::size_t sample) const { return sample < options_.negatives; }

  /// Fills the queries, and the scores with the derivatives of the loss.
  double score() {
    const Model& model = *options_.model;
    const std::size_t n = options_.dimension;
    model.object_query(subject(), relation(), object_query_, n);
    model.subject_query(relation(), object(), subject_query_, n);
    scores_[0] = dot(object_query_, object(), n);
    for (std::size_t i = 0; i < samples_; ++i) {
      scores_[1 + i] = dot(replaces_object(i) ? object_query_ : subject_query_, sample(i), n);
    }
    return options_.loss(scores_);
  }

  /// The sums of the objects, the positive one among them, and of the sampled subjects, each times
  /// the derivative of the loss for its score; and the deltas of the samples.
  void add_samples() {
    const std::size_t n = options_.dimension;
    std::fill_n(objects_, n, 0.0F);
    std::fill_n(subjects_, n, 0.0F);
    add_scaled(scores_[0], object(), objects_, n);
    float* delta = deltas_.data() + own_floats_;
    for (std::size_t i = 0; i < samples_; ++i) {
      const float factor = scores_[1 + i];
      add_scaled(factor, sample(i), replaces_object(i) ? objects_ : subjects_, n);
      adagrad(sample(i), replaces_object(i) ? object_query_ : subject_query_,
              {factor, 0.0F, rate()}, delta, n);
      delta += shared_.entity_floats();
    }
  }

  /// Of the triple's own parts: all scores have the relation, those of the objects the subject, the
  /// others the object.
  void make_deltas() {
    const Model& model = *options_.model;
    const std::size_t n = options_.dimension;
    const std::size_t length = options_.relation_length();
    const AdaGrad step{1.0F, static_cast<float>(options_.l2), rate()};
    float* delta = deltas_.data();
    model.subject_query(relation(), objects_, entity_, n);
    adagrad(subject(), entity_, step, delta, n);
    delta += shared_.entity_floats();
    model.relation_query(subject(), objects_, relation_, n);
    model.relation_query(subjects_, object(), more_, n);
    add_scaled(1.0F, more_, relation_, length);
    adagrad(relation(), relation_, step, delta, length);
    delta += shared_.relation_floats();
    model.object_query(subjects_, relation(), entity_, n);
    add_scaled(scores_[0], object_query_, entity_, n);
    adagrad(object(), entity_, step, delta, n);
  }

  float rate() const { return static_cast<float>(options_.rate); }

  const Shared& shared_;
  const Options& options_;
  std::size_t samples_;
  std::size_t own_floats_;  ///< of subject, relation and object
  std::vector<Key> keys_;
  std::vector<float> values_;
  std::vector<float> deltas_;
  std::vector<float> scores_;  ///< then derivatives
  Buffer vectors_;
  float* object_query_ = nullptr;
  float* subject_query_ = nullptr;
  float* objects_ = nullptr;
  float* subjects_ = nullptr;
  float* entity_ = nullptr;  ///< gradient
  float* relation_ = nullptr;
  float* more_ = nullptr;
};

class Task final : public WorkerTask {
 public:
  explicit Task(const Shared& shared) : shared_(shared), sums_(kSums, 0.0) {}

  void train(Worker& worker, int epoch) override {
    const auto own = share(shared_, worker.id(), worker.id() + 1, worker.num_workers());
    std::vector<Triple> triples(own.begin(), own.end());
    worker.random("triple order", static_cast<std::uint64_t>(epoch)).shuffle(std::span(triples));
    Step step(shared_);  // made anew: thousands of workers may share this memory
    const std::size_t part = triples_ahead(worker);
    announced_ = 0;
    first_clock_ = worker.clock();
    for (std::size_t i = 0; i < triples.size(); ++i) {
      if (part == 0) {
        worker.prepare_sample(samples(), worker.clock(), worker.clock() + 1);
      } else if (i % part == 0) {
        announce_until(worker, triples, i + 2 * part, part);
      }
      sums_[kLoss] += step.train(worker, triples[i]);
      worker.advance_clock();
    }
  }

  void evaluate(Worker& worker) override {
    const Evaluation found = kge::evaluate(shared_, worker);
    sums_[kNotNumbers] += found.not_numbers;
    add(found.filtered, kFiltered);
    add(found.raw, kRaw);
  }

  std::vector<double> take_sums() override {
    return std::exchange(sums_, std::vector<double>(kSums, 0.0));
  }

 private:
  std::size_t samples() const { return 2 * shared_.options.negatives; }

  std::size_t triples_ahead(const Worker& worker) const {
    const std::int64_t given = shared_.options.announce_ahead;
    if (given >= 0) return static_cast<std::size_t>(given);
    return worker.intents_wait() ? kFarAhead : kAhead;
  }

  /// Announces the triples before position `until` that have not been, a part at a time. A clock
  /// is a triple.
  void announce_until(Worker& worker, std::span<const Triple> triples, std::size_t until,
                      std::size_t part) {
    until = std::min(until, triples.size());
    while (announced_ < until) {
      const std::size_t count = std::min(part, until - announced_);
      keys_.clear();
      for (const Triple& triple : triples.subspan(announced_, count)) {
        keys_.insert(keys_.end(), {Key{triple.subject}, shared_.relation_key(triple.relation),
                                   Key{triple.object}});
      }
      const std::uint64_t start = first_clock_ + announced_;
      worker.intent(keys_, start, start + count);
      worker.prepare_sample(samples() * count, start, start + count);
      announced_ += count;
    }
  }

  void add(const RankSums& ranks, std::size_t first) {
    sums_[first] += ranks.reciprocal;
    sums_[first + 1] += ranks.hits_1;
    sums_[first + 2] += ranks.hits_3;
    sums_[first + 3] += ranks.hits_10;
  }

  const Shared& shared_;
  std::vector<double> sums_;
  std::vector<Key> keys_;
  std::size_t announced_ = 0;  ///< triples of this epoch
  std::uint64_t first_clock_ = 0;
};

}  // namespace

std::span<const Triple> share(const Shared& shared, WorkerId begin, WorkerId end,
                              WorkerId workers) {
  const std::size_t first = shared.train.size() * begin / workers;
  const std::size_t last = shared.train.size() * end / workers;
  return std::span(shared.train).subspan(first, last - first);
}

std::unique_ptr<WorkerTask> make_task(const Shared& shared) {
  return std::make_unique<Task>(shared);
}

}  // namespace pslab::kge
