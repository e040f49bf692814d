// Knowledge-graph embeddings: entities and relations get vectors such that true triples (subject,
// relation, object) score higher than others, which are sampled. As in Lapse, NuPS and AdaPM,
// AdaGrad's sums are part of the parameters. train_loss is per training triple, as it was met;
// test_mrr and test_hits_at_k are filtered, over both questions of each held-out triple.

#include <algorithm>
#include <cmath>
#include <memory>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/alias_table.hpp"
#include "workloads/knowledge_graph/metrics.hpp"
#include "workloads/knowledge_graph/model_files.hpp"
#include "workloads/knowledge_graph/prepare.hpp"
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
    report_ = kge::prepare(shared_.dataset.load(context.root, context.say), context, shared_);
    workers_per_node_ = context.workers_per_node;
    if (shared_.options.negative_power > 0.0) draw_by_frequency();
    initial_score_ = mean_initial_score();
  }

  std::vector<std::string> metric_names() const override {
    std::vector<std::string> names;
    const auto add = [&](const char* split) {
      const std::vector<std::string> more = kge::rank_metric_names(split);
      names.insert(names.end(), more.begin(), more.end());
    };
    if (shared_.options.evaluation.test) add("test");
    if (shared_.options.evaluation.valid) add("valid");
    names.push_back("train_loss");
    return names;
  }

  std::string why_no_target(const std::string& metric) const override {
    const int every = shared_.options.evaluation.every;
    if (every == 1 || metric == "train_loss") return "";
    return fmt::format(
        "is measured every {} epochs only; for a target set "
        "workload.evaluation.every: 1",
        every);
  }

  KeySpace keys() const override {
    return KeySpace(
        {{"entities", shared_.entities, static_cast<std::uint32_t>(shared_.entity_floats())},
         {"relations", shared_.relations, static_cast<std::uint32_t>(shared_.relation_floats())}});
  }

  void initial_value(Key key, std::span<float> value) const override {
    constexpr double kPi = 3.141592653589793;
    const bool relation = key >= shared_.entities;
    const bool angles = shared_.options.model->phases && relation;
    Random random(shared_.seed, "initial embeddings", key);
    const double range = angles ? kPi : shared_.options.initial_range;
    const std::size_t length = value.size() / 2;
    const bool reflection = relation && shared_.options.relation.start_as_reflections;
    if (reflection) std::fill_n(value.begin(), length, 0.0F);
    for (std::size_t i = 0; i < length; i += reflection ? shared_.options.dimension + 1 : 1) {
      const double drawn = 2.0 * random.uniform() - 1.0;
      value[i] = static_cast<float>(reflection ? std::copysign(1.0, drawn) : range * drawn);
    }
    for (float& sum : value.last(length)) sum = static_cast<float>(shared_.options.initial_sum);
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) override {
    return kge::make_task(shared_);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    const auto triples = static_cast<double>(shared_.train.size());
    const double loss = sums[kge::kLoss] / triples;
    if (!std::isfinite(loss) || sums[kge::kNotNumbers] > 0.0) {
      fail_run(
          "epoch {}: the training loss is {:.4g}, and {:.0f} scores of held-out triples are no "
          "number: training diverged. Try a smaller workload.learning_rate (now {}) in a new run",
          epoch, loss, sums[kge::kNotNumbers], shared_.options.rate);
    }
    refuse_divergence(loss, epoch);
    refuse_collapse(sums[kge::kScores] / triples / scores_per_triple(), epoch);
    std::vector<Metric> metrics;
    const std::size_t splits = shared_.ranks_after(epoch) ? shared_.held_out.size() : 0;
    for (std::size_t split = 0; split < splits; ++split) {
      const kge::HeldOut& held_out = shared_.held_out[split];
      const std::vector<double> values = kge::rank_metrics(sums, split, held_out.triples.size());
      const std::vector<std::string> names = kge::rank_metric_names(held_out.split);
      for (std::size_t i = 0; i < names.size(); ++i) metrics.push_back({names[i], values[i]});
    }
    metrics.push_back({"train_loss", loss});
    return metrics;
  }

  std::vector<std::string> model_formats() const override { return kge::model_formats(); }

  std::vector<std::string> write_model(const std::string& format,
                                       const std::filesystem::path& folder,
                                       const ReadValue& read) const override {
    return kge::write_model(shared_, format, folder, read);
  }

  /// Relations that are partitioned have no accesses that copies could serve.
  std::vector<float> direct_accesses() const override {
    std::vector<float> expected = accesses(shared_.train);
    if (shared_.options.partition_relations) {
      std::fill_n(expected.begin() + shared_.entities, shared_.relations, 0.0F);
    }
    return expected;
  }

  std::vector<float> sample_accesses() const override {
    std::vector<float> expected(std::size_t{shared_.entities} + shared_.relations, 0.0F);
    const double samples = double{kPullAndPush} * samples_per_epoch();
    for (std::uint32_t entity = 0; entity < shared_.entities; ++entity) {
      const double share = weights_.empty() ? 1.0 / shared_.entities : weights_[entity];
      expected[entity] = static_cast<float>(samples * share);
    }
    return expected;
  }

  std::vector<KeyCount> node_accesses(NodeId node) const override {
    const std::vector<float> of_key =
        accesses(shared_.share(node * workers_per_node_, (node + 1) * workers_per_node_));
    std::vector<KeyCount> counts;
    for (std::uint32_t key = 0; key < of_key.size(); ++key) {
      if (of_key[key] > 0.0F) counts.push_back({key, of_key[key]});
    }
    return counts;
  }

  std::function<Key(Random&)> sample_distribution() const override {
    if (negatives_)
      return [table = negatives_](Random& random) { return Key{table->draw(random)}; };
    return [entities = shared_.entities](Random& random) { return random.below(entities); };
  }

  std::vector<std::string> data_report() const override { return report_; }

  std::uint64_t data_bytes() const override {
    std::uint64_t bytes = shared_.train.size() * sizeof(Triple);
    for (const kge::HeldOut& held_out : shared_.held_out) {
      bytes += held_out.triples.size() * sizeof(Triple) + held_out.known.bytes();
    }
    if (negatives_) bytes += weights_.size() * sizeof(double) + negatives_->bytes();
    return bytes;
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

  /// Sets the probabilities of negative samples.
  void draw_by_frequency() {
    weights_.assign(shared_.entities, 0.0);
    for (const Triple& triple : shared_.train) {
      ++weights_[triple.subject];
      ++weights_[triple.object];
    }
    double sum = 0.0;
    for (double& weight : weights_) {
      weight = std::pow(std::max(weight, 1.0), shared_.options.negative_power);
      sum += weight;
    }
    for (double& weight : weights_) weight /= sum;
    negatives_ = std::make_shared<const AliasTable>(weights_);
  }

  /// Of triples and as many wrong ones, with the embeddings before training.
  double mean_initial_score() const {
    constexpr std::size_t kTriples = 100;
    const kge::Model& model = *shared_.options.model;
    const std::size_t n = shared_.options.dimension;
    std::vector<float> s(shared_.entity_floats());
    std::vector<float> r(shared_.relation_floats());
    std::vector<float> o(s.size());
    std::vector<float> query(n);
    double sum = 0.0;
    for (std::size_t i = 0; i < kTriples; ++i) {
      const Triple& triple = shared_.train[i % shared_.train.size()];
      initial_value(triple.subject, s);
      initial_value(shared_.relation_key(triple.relation), r);
      initial_value(i % 2 == 0 ? triple.object : i % shared_.entities, o);
      model.object.query(s.data(), r.data(), query.data(), n);
      sum += std::fabs(double{model.comparison.score(query.data(), o.data(), n)});
    }
    return sum / static_cast<double>(kTriples);
  }

  /// Scores that are next to nothing say that regularisation has drawn all embeddings to 0.
  /// Against a model that gives all triples the same score.
  void refuse_divergence(double loss, int epoch) const {
    constexpr double kDiverged = 1e3;
    std::vector<float> same(2 * shared_.options.negatives + 1, 0.0F);
    const double constant = shared_.options.loss(same, shared_.options.loss_options);
    if (loss <= kDiverged * std::max(1.0, constant)) return;
    fail_run(
        "epoch {}: the training loss is {:.4g}, that of equal scores {:.4g}: training diverged. "
        "Try "
        "a smaller workload.learning_rate (now {}) in a new run",
        epoch, loss, constant, shared_.options.rate);
  }

  void refuse_collapse(double mean_score, int epoch) const {
    constexpr double kNothing = 1e-3;
    if (mean_score >= kNothing * initial_score_) return;
    fail_run(
        "epoch {}: scores are {:.3g} on average, {:.3g} before training: the embeddings have "
        "vanished. Try smaller workload.l2 (now {}) and workload.n3 (now {}) in a new run",
        epoch, mean_score, initial_score_, shared_.options.l2, shared_.options.n3);
  }

  double samples_per_epoch() const {
    const auto triples = static_cast<double>(shared_.train.size());
    const auto negatives = static_cast<double>(shared_.options.negatives);
    if (!shared_.options.share_negatives) return 2.0 * negatives * triples;
    return negatives * triples / static_cast<double>(shared_.options.batch);
  }

  double scores_per_triple() const {
    return 1.0 + 2.0 * static_cast<double>(shared_.options.negatives);
  }

  kge::Shared shared_;
  std::uint32_t workers_per_node_ = 1;
  std::vector<double> weights_;  ///< of entities as negative samples, sum 1; empty: all alike
  std::shared_ptr<const AliasTable> negatives_;  ///< draws by weights_; null: all alike
  double initial_score_ = 0.0;                   ///< absolute value, on average
  std::vector<std::string> report_;
};

PSLAB_REGISTER(Workload, KnowledgeGraph, "knowledge_graph",
               "knowledge-graph embeddings (ComplEx, DistMult, RESCAL, TransE, RotatE)",
               "Lapse, NuPS and AdaPM papers");

}  // namespace
}  // namespace pslab
