// Knowledge-graph embeddings: entities and relations get vectors such that true triples (subject,
// relation, object) score higher than others. For each training triple the same number of other
// objects and of other subjects is sampled uniformly (sample accesses), and AdaGrad steps go to all
// of them. As in Lapse, NuPS and AdaPM, AdaGrad's sums are part of the parameters; other than
// there, the gradients of a triple and its samples are added up before one step.
// train_loss is per training triple, as it was met. test_mrr and test_hits_at_k are filtered, over
// both questions (subject and object) of each held-out triple.

#include <cmath>
#include <numeric>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "workloads/knowledge_graph/shared.hpp"
#include "workloads/knowledge_graph/task.hpp"

namespace pslab {
namespace {

using data::Triple;

/// Each key that a triple accesses is pulled and pushed.
constexpr float kPullAndPush = 2.0F;

class KnowledgeGraph final : public Workload {
 public:
  explicit KnowledgeGraph(config::Options& options) : shared_(options) {}

  void load(const LoadContext& context) override {
    data::Triples triples = shared_.dataset.load();
    if (triples.train.empty()) throw InputError("the data set has no training triples");
    report(triples);
    shuffle(triples, context.seed);
    workers_per_node_ = context.workers_per_node;
    workers_ = context.nodes * context.workers_per_node;
    shared_.seed = context.seed;
    shared_.entities = triples.entities;
    shared_.relations = triples.relations;
    if (!triples.test.empty()) shared_.known = kge::KnownAnswers(triples);
    shared_.train = std::move(triples.train);
    shared_.test = std::move(triples.test);
  }

  std::vector<std::string> metric_names() const override {
    return {"test_mrr",           "test_hits_at_1",      "test_hits_at_3",
            "test_hits_at_10",    "test_mrr_raw",        "test_hits_at_1_raw",
            "test_hits_at_3_raw", "test_hits_at_10_raw", "train_loss"};
  }

  KeySpace keys() const override {
    return KeySpace(
        {{"entities", shared_.entities, static_cast<std::uint32_t>(shared_.entity_floats())},
         {"relations", shared_.relations, static_cast<std::uint32_t>(shared_.relation_floats())}});
  }

  void initial_value(Key key, std::span<float> value) const override {
    Random random(shared_.seed, "initial embeddings", key);
    const double range = shared_.options.initial_range;
    const std::size_t length = value.size() / 2;
    for (float& x : value.first(length)) {
      x = static_cast<float>(range * (2.0 * random.uniform() - 1.0));
    }
    for (float& sum : value.last(length)) sum = static_cast<float>(shared_.options.initial_sum);
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) override {
    return kge::make_task(shared_);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    const double loss = sums[kge::kLoss] / static_cast<double>(shared_.train.size());
    if (!std::isfinite(loss) || sums[kge::kNotNumbers] > 0.0) {
      fail_run(
          "epoch {}: the training loss is {:.4g}, and {:.0f} scores of held-out triples are no "
          "number: training diverged. Try a smaller workload.learning_rate (now {})",
          epoch, loss, sums[kge::kNotNumbers], shared_.options.rate);
    }
    const std::vector<std::string> names = metric_names();
    std::vector<Metric> metrics;
    if (!shared_.test.empty()) {
      const double questions = 2.0 * static_cast<double>(shared_.test.size());
      for (std::size_t i = kge::kFiltered; i < kge::kSums; ++i) {
        metrics.push_back({names[i - kge::kFiltered], sums[i] / questions});
      }
    }
    metrics.push_back({names.back(), loss});
    return metrics;
  }

  std::vector<float> direct_accesses() const override { return accesses(shared_.train); }

  std::vector<float> sample_accesses() const override {
    const double samples = 2.0 * static_cast<double>(shared_.options.negatives) *
                           static_cast<double>(shared_.train.size());
    std::vector<float> expected(std::size_t{shared_.entities} + shared_.relations, 0.0F);
    std::fill_n(expected.begin(), shared_.entities,
                kPullAndPush * static_cast<float>(samples / static_cast<double>(shared_.entities)));
    return expected;
  }

  std::vector<KeyCount> node_accesses(NodeId node) const override {
    const std::vector<float> of_key = accesses(
        kge::share(shared_, node * workers_per_node_, (node + 1) * workers_per_node_, workers_));
    std::vector<KeyCount> counts;
    for (std::uint32_t key = 0; key < of_key.size(); ++key) {
      if (of_key[key] > 0.0F) counts.push_back({key, of_key[key]});
    }
    return counts;
  }

  std::function<Key(Random&)> sample_distribution() const override {
    return [entities = shared_.entities](Random& random) { return random.below(entities); };
  }

  std::vector<std::string> data_report() const override { return report_; }

  std::uint64_t data_bytes() const override {
    return (shared_.train.size() + shared_.test.size()) * sizeof(Triple) + shared_.known.bytes();
  }

 private:
  std::vector<float> accesses(std::span<const Triple> triples) const {
    std::vector<float> counts(std::size_t{shared_.entities} + shared_.relations, 0.0F);
    for (const Triple& triple : triples) {
      counts[triple.subject] += kPullAndPush;
      counts[shared_.relation_key(triple.relation)] += kPullAndPush;
      counts[triple.object] += kPullAndPush;
    }
    return counts;
  }

  /// Ids often come sorted by frequency, and triples by subject: both get a random order.
  static void shuffle(data::Triples& triples, std::uint64_t seed) {
    const auto permutation = [seed](const char* purpose, std::uint32_t count) {
      std::vector<std::uint32_t> numbers(count);
      std::iota(numbers.begin(), numbers.end(), 0U);
      Random(seed, purpose).shuffle(std::span(numbers));
      return numbers;
    };
    const auto entities = permutation("entity order", triples.entities);
    const auto relations = permutation("relation order", triples.relations);
    for (auto* part : {&triples.train, &triples.valid, &triples.test}) {
      for (Triple& triple : *part) {
        triple = {entities[triple.subject], relations[triple.relation], entities[triple.object]};
      }
    }
    Random(seed, "share order").shuffle(std::span(triples.train));
  }

  void report(const data::Triples& triples) {
    report_.push_back(fmt::format(
        "{} entities, {} relations, {} training, {} validation, {} test triples", triples.entities,
        triples.relations, triples.train.size(), triples.valid.size(), triples.test.size()));
    report_.insert(report_.end(), triples.notes.begin(), triples.notes.end());
    if (triples.test_unseen != 0) {
      report_.push_back(
          fmt::format("{} test triples have an entity or relation without training triples; they "
                      "count as all others do",
                      triples.test_unseen));
    }
    if (triples.leaked != 0) {
      report_.push_back(
          fmt::format("warning: {} test triples are training triples too (leak); the test metrics "
                      "are too good",
                      triples.leaked));
    }
  }

  kge::Shared shared_;
  std::uint32_t workers_per_node_ = 1;
  WorkerId workers_ = 1;
  std::vector<std::string> report_;
};

PSLAB_REGISTER(Workload, KnowledgeGraph, "knowledge_graph",
               "knowledge-graph embeddings (ComplEx, DistMult, RESCAL) with negative sampling",
               "Lapse, NuPS and AdaPM papers");

}  // namespace
}  // namespace pslab
