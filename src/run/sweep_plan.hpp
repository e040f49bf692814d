// An experiment as the list of its runs, every one of them checked before the first is started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/sweep.hpp"
#include "config/value.hpp"
#include "run/experiment.hpp"

namespace pslab::run {

/// What a run is, as result files name it.
struct RunFacts {
  std::string experiment;
  std::string backend;
  std::string platform;
  std::string workload;
  std::string strategy;
  std::string scheme;
  std::string config_hash;  ///< 16 hex digits; the same for runs that differ in their seed only
  std::uint32_t nodes = 1;
  std::uint32_t workers_per_node = 1;
  std::int64_t seed = 1;
  std::int64_t repeat = 1;
  TrainOptions train;  ///< when it ends
  bool record_trace = false;
};

struct PlannedRun {
  std::string id;             ///< name of its folder
  std::string configuration;  ///< for people: "hybrid, nodes 8"
  std::string label;          ///< likewise, with the repeat: "hybrid, nodes 8, repeat 2"
  std::string resolved;       ///< text of config.yaml
  RunFacts facts;
  config::SweepRun sweep;
};

struct ExperimentPlan {
  std::string name;
  config::Value source;            ///< the experiment with its sweep, overrides applied
  std::vector<PlannedRun> runs;    ///< in the order of the sweep
  std::vector<std::string> swept;  ///< dotted paths
};

/// Expands the sweep and reads every run's config; throws InputError for whatever is wrong with any
/// of them. Starts nothing and reads no data.
ExperimentPlan plan_experiment(const config::Value& source, const std::string& root);

/// What sets a run apart, for people: "hybrid, nodes 8". Its size can be left out, where it stands
/// beside.
std::string configuration_label(const PlannedRun& run, bool with_size);

/// A swept value for people: the name of a plug-in without options, otherwise as in the file.
std::string value_text(const config::Value& value);

/// Backends that this build lacks, with what to do about it.
struct MissingBackend {
  std::string name;
  std::string advice;
};
std::vector<MissingBackend> missing_backends();

}  // namespace pslab::run
