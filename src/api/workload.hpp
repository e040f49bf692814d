// A training task: names its keys, their initial values and each worker's share, trains on it
// through the Worker interface, and measures quality. To write one: workloads/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "api/metric.hpp"
#include "api/worker.hpp"
#include "base/random.hpp"

namespace pslab {

/// What a workload is told when it loads.
struct LoadContext {
  std::uint64_t seed;
  NodeId nodes;
  std::uint32_t workers_per_node;
  std::string root;                             ///< the project's root folder
  std::function<void(const std::string&)> say;  ///< a line for the user and the run's log
  int epochs = 1;                               ///< that are to be trained, at most
};

/// Reads the value of a key of a trained model into room for its length.
using ReadValue = std::function<void(Key, std::span<float>)>;

/// One worker's share of the task. Used by that worker only. At the end of any epoch it may be
/// destroyed and made anew, in another process and on a cluster of another size: it carries nothing
/// from epoch to epoch.
class WorkerTask {
 public:
  virtual ~WorkerTask() = default;
  /// Trains on this worker's share once. Epochs count from 1. Must end with every Pending waited
  /// for.
  virtual void train(Worker& worker, int epoch) = 0;
  /// Reads this worker's share of the held-out data. No worker trains meanwhile.
  virtual void evaluate(Worker& worker) = 0;
  /// What this worker adds to the sums that epoch_metrics() gets: taken after evaluate(), then
  /// zeroed.
  virtual std::vector<double> take_sums() = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;
  /// Reads or makes the data, once per process, before anything else is called.
  virtual void load(const LoadContext& context) = 0;
  /// Names of what epoch_metrics() may give, the main one first; known before load().
  virtual std::vector<std::string> metric_names() const = 0;
  /// Why train.target cannot be this metric, the rest of a sentence about it; empty: it can.
  virtual std::string why_no_target(const std::string& /*metric*/) const { return ""; }
  virtual KeySpace keys() const = 0;
  /// The value of a key before training. Depends on the seed and the key only.
  virtual void initial_value(Key key, std::span<float> value) const = 0;
  virtual std::unique_ptr<WorkerTask> make_task(WorkerId worker) = 0;
  /// `sums`: take_sums() of all workers, added up in the order of the workers. Called once per
  /// process and epoch with the same sums everywhere; may adapt the learning rate, and throws
  /// RunError when training has diverged. In the order of metric_names(); it may leave out what
  /// the data has no cells for.
  virtual std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) = 0;

  /// What epoch_metrics() has changed so far (an adapted learning rate), for a checkpoint; training
  /// goes on exactly when restore() has taken it back, after load().
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double> /*state*/) {}

  /// Formats in which write_model() writes, the default first; empty: none.
  virtual std::vector<std::string> model_formats() const { return {}; }
  /// Writes a trained model to files in `folder`, which exists. Returns their names.
  virtual std::vector<std::string> write_model(const std::string& /*format*/,
                                               const std::filesystem::path& /*folder*/,
                                               const ReadValue& /*read*/) const {
    return {};
  }

  /// Expected accesses per key and epoch, cluster-wide; empty: unknown. 0 for keys that the data
  /// partition leaves to one node: copies of these would serve nobody.
  virtual std::vector<float> direct_accesses() const { return {}; }
  virtual std::vector<float> sample_accesses() const { return {}; }
  /// Direct accesses per epoch by the workers of one node: each key that they access, ascending.
  /// Empty for all nodes: unknown. Evaluation does not count.
  virtual std::vector<KeyCount> node_accesses(NodeId /*node*/) const { return {}; }
  /// The distribution that sample accesses draw from; empty function: the task does not sample.
  virtual std::function<Key(Random&)> sample_distribution() const { return {}; }
  /// What loading met (counts kept, skipped, merged), for the user and summary.json.
  virtual std::vector<std::string> data_report() const { return {}; }
  /// Bytes that the loaded data occupies, for the memory estimate.
  virtual std::uint64_t data_bytes() const { return 0; }
};

}  // namespace pslab
