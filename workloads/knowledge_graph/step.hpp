// One step of training: the triples of a batch and their negative samples are read, and one AdaGrad
// step is pushed to each of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/worker.hpp"
#include "base/random.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

class Step {
 public:
  explicit Step(const Shared& shared);

  struct Result {
    double loss;
    double scores;  ///< the sum of their absolute values; infinite or no number: training diverged
  };
  /// At most as many triples as a batch has. `dropout` draws what is dropped. Pushes nothing when
  /// training has diverged.
  Result train(Worker& worker, std::span<const data::Triple> triples, Random& dropout);

  /// That so many triples take.
  std::size_t samples(std::size_t triples) const;

 private:
  // A triple's embeddings as they are used, and their gradients, are three parts one after the
  // other: subject, relation, object. Side 0 asks for objects, side 1 for subjects.
  enum Part : std::size_t { kSubject, kRelation, kObject, kParts };
  static constexpr std::size_t kSides = 2;

  void read(Worker& worker, std::span<const data::Triple> triples);
  void drop(Random& random);
  void make_queries();
  void score_samples();
  void score_shared_samples();
  Result replace_scores_by_derivatives();
  void add_gradients();
  void add_gradients(std::size_t triple, std::size_t side, std::size_t begin, std::size_t end);
  void add_product_gradients(std::size_t begin, std::size_t end);
  const float* derivatives(std::size_t triple, std::size_t side) const;
  void add_regularisation();
  void make_deltas();

  std::size_t part_offset(Part part) const;
  std::size_t part_length(Part part) const;
  /// What an option is multiplied by, given what it is multiplied by for relations.
  static double factor(Part part, double of_relations) {
    return part == kRelation ? of_relations : 1.0;
  }
  const float* value(std::size_t triple, Part part) const;
  const float* embedding(std::size_t triple, Part part) const;
  float* gradient(std::size_t triple, Part part);
  static Part known(std::size_t side) { return side == 0 ? kSubject : kObject; }
  float* query(std::size_t triple, std::size_t side);
  float* query_gradient(std::size_t triple, std::size_t side);
  std::size_t sample_number(std::size_t triple, std::size_t side, std::size_t i) const;
  const float* sample(std::size_t number) const;
  std::span<float> scores(std::size_t triple);
  double flops() const;

  const Shared& shared_;
  const Options& options_;
  const Model& model_;
  const std::size_t dimension_;
  const std::size_t own_length_;  ///< embeddings of a triple's parts
  const std::size_t own_floats_;  ///< their values
  const std::size_t row_;         ///< scores of a triple
  const double penalty_;          ///< of relations, relative to that of entities
  std::size_t triples_ = 0;       ///< of this batch
  std::size_t samples_ = 0;
  std::vector<Key> keys_;
  std::vector<float> values_;
  std::vector<float> deltas_;
  std::vector<float> dropped_;  ///< a triple's embeddings times masks_; empty without dropout
  std::vector<float> masks_;
  std::vector<float> queries_;
  std::vector<float> scores_;
  std::vector<float> derivatives_;  ///< of the loss, for the scores
  std::vector<float> own_gradients_;
  std::vector<float> query_gradients_;
  std::vector<float> sample_gradients_;
  std::vector<float> tile_;
  std::vector<float> factors_;  ///< of a sample's gradient, for all queries
};

}  // namespace pslab::kge
