// One run's config, read and checked: the plug-ins that it names, made with their options, and the
// settings of the run itself. Reading it starts nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "api/backend.hpp"
#include "api/sampling.hpp"
#include "api/strategy.hpp"
#include "api/workload.hpp"
#include "config/options.hpp"
#include "config/value.hpp"

namespace pslab::run {

struct TrainOptions {
  int epochs = 1;
  double max_time = 0.0;  ///< seconds of training time after which no epoch is begun; 0: no limit
  std::string
      target_metric;  ///< training ends when this metric has reached target_value; empty: none
  double target_value = 0.0;
  bool target_below = true;  ///< reached when at or below the value; false: at or above
};

struct ChecksOptions {
  bool history = false;              ///< see src/checks
  std::uint64_t history_memory = 0;  ///< bytes for the events of an epoch, all workers together
};

/// See src/checkpoint.
struct CheckpointOptions {
  int every = 0;     ///< epochs between two checkpoints; 0: none are written
  int keep = 2;      ///< how many, the newest
  std::string from;  ///< a run or a checkpoint to go on from; empty: from the beginning
};

/// Copies that the lower bound allows.
enum class OracleCopies {
  kAsPromised,  ///< of any age for keys whose order of updates the strategy does not promise
  kAnyAge,      ///< of any age
  kFresh,       ///< that miss no update
};

struct MetricsOptions {
  bool record_trace = false;  ///< see src/trace
  bool oracle = false;        ///< see src/oracle
  OracleCopies copies = OracleCopies::kAsPromised;
};

class Experiment {
 public:
  /// `config`: one run's, without sweep and repeats. Throws InputError. `root`: the project's root
  /// folder. kDescribe: only declarations() count.
  Experiment(const config::Value& config, const std::string& root,
             config::Mode mode = config::Mode::kRead);

  std::string name;
  std::string backend_name;
  std::string strategy_name;
  std::string scheme_name;
  std::string workload_name;
  ClusterSpec cluster;
  TrainOptions train;
  ChecksOptions checks;
  CheckpointOptions checkpoint;
  MetricsOptions metrics;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<SamplingScheme> scheme;
  std::unique_ptr<Workload> workload;

  /// Every option with its value in force.
  const config::Value& resolved() const { return resolved_; }
  /// Of the resolved config without seed; equal for runs that differ in their seed only.
  std::uint64_t config_hash() const;
  /// All options, for describe and the defaults file.
  const std::vector<config::Declaration>& declarations() const { return declarations_; }

 private:
  void read(config::Options& options);
  void read_cluster(config::Options& options);
  void read_faults(config::Options& options);
  void read_train(config::Options& options);
  void read_checks(config::Options& options);
  void read_metrics(config::Options& options);
  void read_checkpoint(config::Options& options);

  bool describing_ = false;
  config::Value resolved_;
  std::vector<config::Declaration> declarations_;
};

}  // namespace pslab::run
