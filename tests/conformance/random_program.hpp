// What the workers of a RandomRun do, and what must be true of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "api/key_space.hpp"
#include "api/worker.hpp"
#include "manager/node_core.hpp"
#include "tests/conformance/board.hpp"
#include "tests/conformance/random_run.hpp"

namespace pslab::test {

class RandomProgram final : public Program {
 public:
  RandomProgram(const RandomRun& run, Strategy& strategy);
  ~RandomProgram() override;

  Receiver& start_node(NodeRuntime& runtime) override;
  void run_worker(NodeId node, std::uint32_t local_index) override;
  std::string waiting_text() const override;

  manager::NodeCore& node(NodeId id) { return *nodes_[id]; }
  NodeId num_nodes() const { return run_.cluster.nodes; }

  /// After the run, with what all processes have left on the board. Throws std::runtime_error when
  /// something is wrong.
  void check_end();
  std::string summary() const;

 private:
  struct WorkerState;
  void operate(Worker& worker, WorkerState& state);
  void push(Worker& worker, WorkerState& state, std::vector<Key> keys, bool wait);
  void pull(Worker& worker, WorkerState& state, std::vector<Key> keys, bool late_wait);
  void check_read(const WorkerState& state, std::span<const Key> keys,
                  std::span<const float> values);
  void check_totals(Worker& worker);
  void check_replicas_agree(Key key);
  void leave_on_board(manager::NodeCore& node);
  std::vector<Key> some_keys(Random& random) const;
  /// Whether a value contains all pushes, so that it can be checked against them.
  bool keeps_sums(Key key) const { return !averaged_or_clipped_[key]; }
  std::size_t floats(std::span<const Key> keys) const;
  float initial(Key key) const { return static_cast<float>(key % 7); }

  const RandomRun& run_;
  Strategy& strategy_;
  std::uint32_t workers_;
  KeySpace keys_;
  Plan plan_;
  std::vector<bool> averaged_or_clipped_;  ///< by key
  std::unique_ptr<manager::Setup> setup_;
  std::vector<std::unique_ptr<NodeRuntime>> wrapped_runtimes_;
  std::vector<std::unique_ptr<Receiver>> wrapped_receivers_;
  std::vector<std::unique_ptr<manager::NodeCore>> nodes_;
  Board board_;
  std::vector<std::uint64_t> hashes_;  ///< per worker of this process, of all that it read and when
};

}  // namespace pslab::test
