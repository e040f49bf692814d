#include "workloads/knowledge_graph/shared.hpp"

#include <fmt/format.h>

#include <string>

namespace pslab::kge {
namespace {

const Model* read_model(config::Options& options) {
  std::vector<std::string> names;
  for (const Model& model : models()) names.push_back(model.name);
  const std::string name = options.choice(
      "model", "complex", names,
      "the score of a triple: ComplEx, DistMult (which does not tell subject from object), RESCAL "
      "(a relation is a square matrix)");
  for (const Model& model : models()) {
    if (model.name == name) return &model;
  }
  return nullptr;  // choice() has refused it
}

}  // namespace

Options::Options(config::Options& options)
    : model(read_model(options)),
      dimension(static_cast<std::size_t>(
          options.integer("dimension", 100, 1, 10'000, "floats",
                          "length of an entity's embedding; complex: real and imaginary parts "
                          "together, so it must be even"))),
      negatives(static_cast<std::size_t>(options.integer(
          "negatives", 10, 1, 10'000, "samples",
          "negative samples of a triple: so many other subjects and so many other objects, from "
          "all entities alike, false negatives among them"))),
      loss(options.choice("loss", "bce", {"bce", "softmax"},
                          "binary cross-entropy of each score, or cross-entropy of the softmax "
                          "over a triple and its negatives") == "bce"
               ? binary_cross_entropy
               : softmax_cross_entropy),
      rate(options.real("learning_rate", 0.1, 1e-9, 1e3, "", "of AdaGrad")),
      l2(options.real("l2", 0.0, 0.0, 1e3, "",
                      "L2 regularisation: this times the embedding is added to the gradients of a "
                      "triple's three parts, not to those of its negatives")),
      initial_range(
          options.real("initial_range", 0.1, 0.0, 1e3, "", "embeddings start uniform in +- this")),
      initial_sum(options.real("initial_accumulator", 1e-6, 0.0, 1e3, "",
                               "AdaGrad's sums of squared gradients start at this")),
      announce_ahead(options.integer(
          "announce_ahead", -1, -1, 1'000'000'000, "triples",
          "announce (Worker::intent, prepare_sample) the accesses of this many triples ahead of "
          "their use, in groups of as many; -1: 16, or 1024 where intents wait until they are due "
          "(adaptive); 0: never announce, and prepare samples when they are drawn")) {
  if (model->even_dimension && dimension % 2 != 0) {
    options.reject("dimension", fmt::format("must be even for model: {}", model->name));
  }
}

}  // namespace pslab::kge
