// The options of the knowledge-graph workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/options.hpp"
#include "workloads/knowledge_graph/loss.hpp"
#include "workloads/knowledge_graph/models.hpp"
#include "workloads/knowledge_graph/ranking.hpp"

namespace pslab::kge {

/// How held-out triples are ranked.
struct EvaluationOptions {
  bool valid;  ///< rank the validation triples
  bool test;   ///< rank the test triples
  Ties ties;
  bool filter_valid;  ///< true answers of the validation triples are left out in any case
  bool filter_test;
  bool drop_unseen;
  int every;  ///< epochs

  explicit EvaluationOptions(config::Options& options);
};

/// How relations are trained, where it is not as entities are. The numbers are multiples of the
/// entities' options.
struct RelationOptions {
  bool start_as_reflections;  ///< matrices
  double rate;
  double dropout;
  double penalty;  ///< of l2 and n3

  explicit RelationOptions(config::Options& options);
};

struct Options {
  const Model* model;
  std::size_t dimension;
  std::size_t negatives;
  double negative_power;
  std::size_t batch;
  bool share_negatives;
  Loss loss;
  LossOptions loss_options;
  double rate;
  double l2;
  double n3;
  double dropout;
  double initial_range;
  double initial_sum;
  RelationOptions relation;
  std::int64_t announce_ahead;
  bool partition_relations;
  EvaluationOptions evaluation;

  explicit Options(config::Options& options);

  std::size_t relation_length() const { return model->relation_length(dimension); }

 private:
  void check(const config::Options& options) const;
  void refuse_unused(const config::Options& options) const;
};

}  // namespace pslab::kge
