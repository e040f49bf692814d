#include "workloads/knowledge_graph/options.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "config/unused.hpp"

namespace pslab::kge {
namespace {

constexpr double kMaxDropout = 0.99;

/// The entry of `all` that a choice names.
template <typename Named>
const Named& named(config::Options& options, const char* option, const std::vector<Named>& all,
                   const char* initial, const char* help) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  const std::string name = options.choice(option, initial, names, help);
  const Named* found = nullptr;
  for (const Named& one : all) {
    if (one.name == name) found = &one;
  }
  return *found;  // choice() refuses other names
}

std::size_t count(config::Options& options, const char* name, std::int64_t initial,
                  std::int64_t max, const char* unit, const char* help) {
  return static_cast<std::size_t>(options.integer(name, initial, 1, max, unit, help));
}

Ties read_ties(config::Options& options) {
  const std::string ties = options.choice(
      "ties", "mean", {"mean", "worst", "best"},
      "where the true answer stands among candidates with the same score: mean: in the middle "
      "(realistic); worst: behind them; best: before them, which makes a constant scorer perfect");
  if (ties == "mean") return Ties::kMean;
  return ties == "worst" ? Ties::kWorst : Ties::kBest;
}

}  // namespace

EvaluationOptions::EvaluationOptions(config::Options& options) {
  const std::string split =
      options.choice("split", "test", {"test", "valid", "both"},
                     "the held-out triples that are ranked; choose options by those of valid");
  valid = split != "test";
  test = split != "valid";
  ties = read_ties(options);
  const std::string filter = options.choice(
      "filter", "train_valid_test", {"train_valid_test", "train_valid", "train"},
      "filtered ranks leave out the other true answers of these triples and of the split that is "
      "ranked");
  filter_valid = filter != "train";
  filter_test = filter == "train_valid_test";
  drop_unseen = options.choice("unseen", "rank_all", {"rank_all", "drop"},
                               "held-out triples with an entity or relation that no training "
                               "triple has: rank them too, or leave them out (higher numbers; not "
                               "comparable)") == "drop";
  every = static_cast<int>(options.integer(
      "every", 1, 1, 1'000'000, "epochs",
      "rank after every so many epochs and after the last; the others have no such metrics (1 for "
      "train.target)"));
}

RelationOptions::RelationOptions(config::Options& options)
    : start_as_reflections(
          options.choice(
              "relation_initial", "random", {"random", "reflection"},
              "random: relations start as entities do; reflection: rescal's matrices start "
              "with 1 and -1 at random on the diagonal and 0 elsewhere, so that it "
              "starts as DistMult") == "reflection"),
      rate(options.real("relation_learning_rate", 1.0, 0.0, 1e3, "",
                        "the learning rate of relations is this times learning_rate; 0: they stay "
                        "as they start")),
      dropout(options.real("relation_dropout", 1.0, 0.0, 1e3, "",
                           "the dropout of relations is this times dropout")),
      penalty(options.real("relation_penalty", 1.0, 0.0, 1e6, "",
                           "l2 and n3 of relations are this times l2 and n3")) {}

Options::Options(config::Options& options)
    : model(&named(options, "model", models(), "complex",
                   "the score of a triple: ComplEx, DistMult (which does not tell subject from "
                   "object), RESCAL (a relation is a square matrix), TransE with L1 or L2 "
                   "distances, RotatE")),
      dimension(count(options, "dimension", 100, 10'000, "floats",
                      "length of an entity's embedding; complex, rotate: real and imaginary parts "
                      "together, so it must be even")),
      negatives(count(options, "negatives", 10, 100'000, "samples",
                      "negative samples of a triple: so many other subjects and so many other "
                      "objects, false negatives among them")),
      negative_power(options.real(
          "negative_power", 0.0, 0.0, 2.0, "",
          "negatives are drawn with probability proportional to this power of an entity's number "
          "of occurrences in training triples (at least 1); 0: all entities alike")),
      batch(count(options, "batch", 1, 10'000, "triples",
                  "triples of a step (one clock): all are read before any is changed")),
      share_negatives(options.flag(
          "share_negatives", false,
          "a batch has `negatives` samples in all, for both sides of all its triples; false: each "
          "triple has its own")),
      loss(named(options, "loss", losses(), "bce",
                 "binary cross-entropy of each score; cross-entropy of the softmax over a triple "
                 "and its negatives; margin ranking; self-adversarial negative sampling")
               .loss),
      loss_options{
          .margin = options.real("margin", 1.0, 0.0, 1e3, "",
                                 "loss margin: by how much a triple should beat each negative; "
                                 "self_adversarial: added to every score"),
          .temperature = options.real("temperature", 1.0, 0.0, 1e3, "",
                                      "loss self_adversarial: weight negatives by the softmax of "
                                      "this times their score")},
      rate(options.real("learning_rate", 0.1, 1e-9, 1e30, "", "of AdaGrad")),
      l2(options.real("l2", 0.0, 0.0, 1e3, "",
                      "L2 regularisation: this times the embedding is added to the gradients of a "
                      "triple's three parts, not to those of its negatives; so it weighs an "
                      "embedding by its number of triples")),
      n3(options.real("n3", 0.0, 0.0, 1e3, "",
                      "N3 regularisation: likewise, with this / 3 times the sum of |x|^3 as "
                      "penalty")),
      dropout(options.real("dropout", 0.0, 0.0, kMaxDropout, "",
                           "share of the components of a triple's embeddings that count as 0 in a "
                           "step, not of its negatives'; the others are scaled up")),
      initial_range(options.real("initial_range", 0.1, 0.0, 1e3, "",
                                 "embeddings start uniform in +- this; angles of rotate: +- pi")),
      initial_sum(options.real("initial_accumulator", 1e-6, 0.0, 1e3, "",
                               "AdaGrad's sums of squared gradients start at this")),
      relation(options),
      announce_ahead(options.integer(
          "announce_ahead", -1, -1, 1'000'000'000, "triples",
          "announce (Worker::intent, prepare_sample) the accesses of this many triples ahead of "
          "their use, in groups of as many, or batch by batch where intents wait until they are "
          "due (adaptive); -1: 16, or 1024 where they wait; 0: never announce, and prepare samples "
          "when they are drawn")),
      partition_relations(
          options.choice(
              "relations", "shared", {"shared", "partitioned"},
              "shared: training triples are dealt to the workers at random; "
              "partitioned: all triples of a relation to one node, which localizes it") ==
          "partitioned"),
      evaluation(options.group("evaluation", "link prediction for held-out triples")) {
  check(options);
}

void Options::check(const config::Options& options) const {
  if (model->complex_numbers && dimension % 2 != 0) {
    options.reject("dimension", fmt::format("must be even for model: {}", model->name));
  }
  if (dropout > 0.0 && model->phases) {
    options.reject("dropout", "must be 0 for model: rotate; an angle of 0 is no missing value");
  }
  if (relation.start_as_reflections && !model->matrices) {
    options.reject("relation_initial", "must be random unless model: rescal");
  }
  if (dropout * relation.dropout > kMaxDropout) {
    options.reject("relation_dropout",
                   fmt::format("times dropout ({}) must be at most {}", dropout, kMaxDropout));
  }
  refuse_unused(options);
}

void Options::refuse_unused(const config::Options& options) const {
  const std::string with_loss = "with loss: " + *options.resolved().find("loss")->text();
  if (loss != margin_ranking && loss != self_adversarial) {
    config::refuse_unused(options, with_loss, {"margin"});
  }
  if (loss != self_adversarial) config::refuse_unused(options, with_loss, {"temperature"});
  if (dropout == 0.0) config::refuse_unused(options, "without dropout", {"relation_dropout"});
  const char* no_penalty = model->phases            ? "with model: rotate"
                           : relation.rate == 0.0   ? "with relation_learning_rate: 0"
                           : l2 == 0.0 && n3 == 0.0 ? "without l2 and n3"
                                                    : nullptr;
  if (no_penalty != nullptr) config::refuse_unused(options, no_penalty, {"relation_penalty"});
}

}  // namespace pslab::kge
