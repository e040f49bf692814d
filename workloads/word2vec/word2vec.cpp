// Word vectors by skip-gram or CBOW with negative sampling (Mikolov et al., 2013), as in the
// original word2vec, NuPS and AdaPM; differences: README.md.
// train_loss is per prediction, as it was met: the logistic loss of the word and of its samples.

#include <cmath>
#include <numeric>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "workloads/word2vec/accesses.hpp"
#include "workloads/word2vec/sentences.hpp"
#include "workloads/word2vec/shared.hpp"
#include "workloads/word2vec/task.hpp"
#include "workloads/word2vec/vector_files.hpp"

namespace pslab {
namespace {

/// What `read` makes of the file that an option names.
template <typename Read>
auto read_tests(const char* option, const std::string& file, Read read) {
  try {
    return read(file);
  } catch (const InputError& error) {
    fail_input("workload.evaluation.{}: {}", option, error.what());
  }
}

class Word2vec final : public Workload {
 public:
  explicit Word2vec(config::Options& options) : shared_(options) {}

  void load(const LoadContext& context) override {
    data::PlantedText text = shared_.dataset.load(context.root, context.say);
    const word2vec::EvaluationOptions& evaluation = shared_.evaluation;
    if (!evaluation.analogies.empty()) {
      text.tests.analogies = read_tests("analogies", evaluation.analogies, data::read_analogies);
    }
    if (!evaluation.similarities.empty()) {
      text.tests.similarities =
          read_tests("similarities", evaluation.similarities, data::read_similarities);
    }
    data::Corpus& corpus = text.corpus;
    shared_.questions = word2vec::find_questions(text.tests, corpus.words, evaluation.candidates);
    shared_.seed = context.seed;
    workers_per_node_ = context.workers_per_node;
    shared_.workers = context.nodes * context.workers_per_node;
    const int decay_epochs = shared_.options.decay_epochs;
    shared_.epochs = decay_epochs != 0 ? decay_epochs : context.epochs;
    report(corpus);
    number_words(corpus);
    prepare_draws();
    report_idle();
  }

  std::vector<std::string> metric_names() const override {
    return {"test_analogies", "test_analogies_semantic", "test_analogies_syntactic",
            "test_spearman", "train_loss"};
  }

  KeySpace keys() const override {
    const auto length = static_cast<std::uint32_t>(shared_.options.dimension);
    return KeySpace(
        {{"input", shared_.words.size(), length}, {"output", shared_.words.size(), length}});
  }

  /// Input vectors uniform in +-0.5 / dimension, output vectors 0.
  void initial_value(Key key, std::span<float> value) const override {
    if (key >= shared_.words.size()) {
      std::ranges::fill(value, 0.0F);
      return;
    }
    Random random(shared_.seed, "initial vectors", key);
    for (float& x : value) {
      x = static_cast<float>((random.uniform() - 0.5) / static_cast<double>(value.size()));
    }
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId /*worker*/) override {
    return word2vec::make_task(shared_);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    const double predictions = sums[word2vec::kPredictions];
    const bool trained = predictions > 0.0;
    const double loss = trained ? sums[word2vec::kLoss] / predictions : 0.0;
    if (!std::isfinite(loss) || sums[word2vec::kNotNumbers] > 0.0) {
      fail_run(
          "epoch {}: the training loss is {:.4g}, and {:.0f} answers to questions are no numbers: "
          "training diverged. Try a smaller workload.alpha (now {}) in a new run",
          epoch, loss, sums[word2vec::kNotNumbers], shared_.options.alpha);
    }
    std::vector<Metric> metrics = analogy_metrics(sums.subspan(word2vec::kSections));
    if (!shared_.questions.similarities.empty()) {
      metrics.push_back(spearman_metric(sums[word2vec::kSpearman]));
    }
    if (trained) {
      metrics.push_back({"train_loss", loss});
    } else {
      metrics.push_back({"train_loss", std::nullopt, "no word was predicted"});
    }
    return metrics;
  }

  std::vector<std::string> model_formats() const override {
    return {"word2vec_text", "word2vec_binary"};
  }

  std::vector<std::string> write_model(const std::string& format,
                                       const std::filesystem::path& folder,
                                       const ReadValue& read) const override {
    std::vector<std::string> words;
    for (const std::uint32_t word : shared_.by_rank) words.push_back(shared_.words[word]);
    const bool text = format == "word2vec_text";
    const std::string name = text ? "vectors.txt" : "vectors.bin";
    (text ? word2vec::write_text : word2vec::write_binary)(
        folder / name, words, shared_.options.dimension,
        [&](std::size_t rank, std::span<float> vector) {
          read(shared_.input(shared_.by_rank[rank]), vector);
        });
    return {name};
  }

  std::vector<float> direct_accesses() const override {
    return word2vec::expected_accesses(shared_, shared_.tokens).direct;
  }

  std::vector<float> sample_accesses() const override {
    const double samples = word2vec::expected_accesses(shared_, shared_.tokens).samples;
    const std::vector<double> weights =
        word2vec::noise_weights(counts_, shared_.options.noise_exponent);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<float> expected(2 * shared_.words.size(), 0.0F);
    for (std::uint32_t word = 0; word < weights.size(); ++word) {
      expected[shared_.output(word)] = static_cast<float>(samples * weights[word] / total);
    }
    return expected;
  }

  std::vector<KeyCount> node_accesses(NodeId node) const override {
    const auto tokens = shared_.share(node * workers_per_node_, (node + 1) * workers_per_node_);
    const std::vector<float> of_key = word2vec::expected_accesses(shared_, tokens).direct;
    std::vector<KeyCount> counts;
    for (std::uint32_t key = 0; key < of_key.size(); ++key) {
      if (of_key[key] > 0.0F) counts.push_back({key, of_key[key]});
    }
    return counts;
  }

  std::function<Key(Random&)> sample_distribution() const override {
    return [this](Random& random) { return shared_.output(shared_.noise->draw(random)); };
  }

  std::vector<std::string> data_report() const override { return report_; }

  std::uint64_t data_bytes() const override {
    std::uint64_t bytes = shared_.tokens.size() * sizeof(data::Token) + shared_.noise->bytes();
    for (const std::string& word : shared_.words) bytes += sizeof(word) + word.size();
    return bytes + shared_.words.size() *
                       (sizeof(shared_.keep[0]) + sizeof(counts_[0]) + sizeof(std::uint32_t));
  }

 private:
  void report(const data::Corpus& corpus) {
    report_.push_back(fmt::format("{} tokens of {} words: {} keys", corpus.tokens.size(),
                                  corpus.words.size(), 2 * corpus.words.size()));
    const std::vector<std::string>& asked = shared_.questions.notes;
    report_.insert(report_.end(), corpus.notes.begin(), corpus.notes.end());
    report_.insert(report_.end(), asked.begin(), asked.end());
  }

  /// Gives words their numbers, in random order: equal ranges of keys are then about as hot.
  void number_words(data::Corpus& corpus) {
    std::vector<std::uint32_t>& numbers = shared_.by_rank;
    numbers.resize(corpus.words.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    Random(shared_.seed, "word order").shuffle(std::span(numbers));
    shared_.words.resize(numbers.size());
    counts_.resize(numbers.size());
    for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
      shared_.words[numbers[rank]] = std::move(corpus.words[rank]);
      counts_[numbers[rank]] = corpus.counts[rank];
    }
    shared_.tokens = std::move(corpus.tokens);
    for (data::Token& token : shared_.tokens) {
      token = data::Token(numbers[token.word()], token.begins());
    }
  }

  void report_idle() {
    WorkerId idle = 0;
    for (WorkerId worker = 0; worker < shared_.workers; ++worker) {
      if (shared_.share(worker, worker + 1).empty()) ++idle;
    }
    if (idle != 0) {
      report_.push_back(
          fmt::format("{} of {} workers are idle: they have no sentence", idle, shared_.workers));
    }
  }

  void prepare_draws() {
    const auto tokens = static_cast<double>(shared_.tokens.size());
    for (const std::uint64_t count : counts_) {
      shared_.keep.push_back(
          word2vec::keep_threshold(static_cast<double>(count) / tokens, shared_.options.subsample));
    }
    shared_.noise.emplace(word2vec::noise_weights(counts_, shared_.options.noise_exponent));
  }

  Metric spearman_metric(double correlation) const {
    const char* name = "test_spearman";
    if (!std::isnan(correlation)) return {name, correlation};
    return {name, std::nullopt,
            fmt::format("all scores or all cosines of the {} are the same",
                        counted(shared_.questions.similarities.size(), "pair"))};
  }

  /// `right`: answers of each section.
  std::vector<Metric> analogy_metrics(std::span<const double> right) const {
    const word2vec::Questions& questions = shared_.questions;
    std::vector<Metric> metrics;
    const auto add = [&](const std::string& name, std::size_t begin, std::size_t end) {
      double asked = 0.0;
      double answered = 0.0;
      for (std::size_t i = begin; i < std::min(end, right.size()); ++i) {
        asked += static_cast<double>(questions.asked[i]);
        answered += right[i];
      }
      if (asked > 0.0) metrics.push_back({name, answered / asked});
    };
    const std::size_t semantic = shared_.evaluation.semantic_sections;
    add("test_analogies", 0, right.size());
    add("test_analogies_semantic", 0, semantic);
    add("test_analogies_syntactic", semantic, right.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
      add("test_analogies_" + questions.sections[i], i, i + 1);
    }
    return metrics;
  }

  word2vec::Shared shared_;
  std::uint32_t workers_per_node_ = 1;
  std::vector<std::uint64_t> counts_;  ///< tokens of each word
  std::vector<std::string> report_;
};

PSLAB_REGISTER(Workload, Word2vec, "word2vec",
               "word vectors by skip-gram or CBOW with negative sampling",
               "Mikolov et al., NIPS 2013; Lapse, NuPS and AdaPM papers");

}  // namespace
}  // namespace pslab
