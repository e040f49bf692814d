// The life of a run, the same in every backend: every worker trains epoch by epoch; after each, all
// updates are brought home, quality is measured (not counted as training time), and what everybody
// did is gathered.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "api/workload.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checks/history_check.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"
#include "run/experiment.hpp"
#include "run/observation.hpp"
#include "run/record.hpp"

namespace pslab::run {

/// Where a run's checkpoints go, and the one that it goes on from.
struct Checkpointing {
  std::filesystem::path folder{};                        ///< empty: none are written
  std::shared_ptr<const checkpoint::Checkpoint> from{};  ///< null: from the beginning
  std::vector<std::string> events{};                     ///< lines of epochs that go before
  std::string data{};                                    ///< see checkpoint::Head
  bool over = false;                                     ///< nothing is left to train
};

class Training final : public Program {
 public:
  /// The experiment's workload must have been loaded. `on_epoch` is called once per epoch, in the
  /// process of node 0; `log` with what only the run's log should show; `last_words` with why this
  /// process is about to be killed. Throws InputError when the checks that the experiment wants
  /// cannot be made, or the checkpoint is not one of this workload.
  Training(
      Experiment& experiment, std::function<void(const EpochRecord&)> on_epoch,
      std::function<void(const std::string&)> log = [](const std::string&) {},
      std::function<void(const std::string&)> last_words = [](const std::string&) {},
      Checkpointing checkpointing = {});
  ~Training() override;

  Receiver& start_node(NodeRuntime& runtime) override;
  void run_worker(NodeId node, std::uint32_t local_index) override;
  double begins_at() const override { return checkpoint_ == nullptr ? 0.0 : start_clock_; }
  std::string waiting_text() const override;
  void dying(const std::string& why) override { last_words_(why); }

  int epochs_done() const { return epoch_; }
  /// What the workers of this process did; they have ended.
  trace::Trace trace() const { return observation_.trace(epoch_); }
  /// For messages before the run.
  const Plan& plan() const { return plan_; }
  /// Bytes that checks need beside longer values, on all nodes together.
  std::uint64_t bytes_of_checks() const;
  /// The keys with the lengths of the values that are stored and sent.
  const KeySpace& stored_keys() const { return history_ ? history_->stored_keys() : keys_; }
  /// After the run: nodes of this process.
  const std::vector<std::unique_ptr<manager::NodeCore>>& nodes() const { return nodes_; }

 private:
  /// What node 0 tells all others when an epoch is over: its number, whether it was the last,
  /// whether a checkpoint is to be written, the sums of the workers' tasks.
  enum Result : std::size_t { kEpoch, kLast, kSave, kSums };
  /// A node's workers meet here without messages.
  struct Meeting {
    std::uint32_t arrived = 0;
    std::uint64_t number = 0;
  };
  /// Numbers of which all workers want the largest, one of each: no epoch's.
  static bool is_agreement(const std::vector<double>& numbers) { return numbers.size() == 1; }
  std::vector<double> train_epoch(manager::WorkerCore& core, Worker& worker, WorkerTask& task,
                                  checks::Recorder* recorder, int epoch);
  bool run_epochs(NodeId node, std::uint32_t local_index, int& epoch);
  void save(manager::WorkerCore& core, int epoch, bool last);
  checkpoint::Head head(int epoch, bool last, double clock) const;
  void start_again(NodeId node, std::uint32_t local_index, int epoch);
  void begin_from_checkpoint(NodeId node, int epoch);
  void go_on_from(std::shared_ptr<const checkpoint::Checkpoint> checkpoint);
  void check_fits(const checkpoint::Checkpoint& checkpoint) const;
  std::vector<double> fold(const std::vector<std::vector<double>>& by_worker);
  void epoch_ended(const std::vector<double>& result);
  bool finished(const EpochRecord& record) const;
  void tell_undefined(const EpochRecord& record);
  Plan make_plan();
  void prepare_history_check();
  void initial_value(Key key, std::span<float> stored) const;

  Experiment& experiment_;
  std::function<void(const EpochRecord&)> on_epoch_;
  std::function<void(const std::string&)> log_;
  std::function<void(const std::string&)> last_words_;
  KeySpace keys_;
  Plan plan_;
  std::unique_ptr<checks::HistoryCheck> history_;  ///< null: the history is not checked
  Observation observation_;
  Checkpointing checkpointing_;
  std::vector<std::uint64_t> clocks_;  ///< of all workers when the last epoch ended; node 0's
  std::unique_ptr<manager::Setup> setup_;
  std::vector<std::unique_ptr<manager::NodeCore>> nodes_;  ///< by node; null: in another process
  std::vector<Meeting> meetings_;                          ///< by node
  std::atomic<int> epoch_ = 0;
  double time_ = 0.0;
  // Where the nodes began last.
  std::shared_ptr<const checkpoint::Checkpoint> checkpoint_;  ///< null: untrained
  manager::Start start_;
  double start_clock_ = 0.0;
  std::vector<int> began_with_;           ///< by node: epochs trained when it began
  std::set<std::string> told_undefined_;  ///< metrics
};

}  // namespace pslab::run
