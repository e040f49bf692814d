// A program for the simulated backend that is made of functions: for tests of the backend itself,
// without any of the mechanisms.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/backend.hpp"

namespace pslab::test {

class ScriptedProgram final : public Program {
 public:
  std::function<void(NodeRuntime&, WorkerRuntime&)> work = [](NodeRuntime&, WorkerRuntime&) {};
  std::function<void(NodeRuntime&, const Message&)> on_message = [](NodeRuntime&, const Message&) {
  };
  std::string waiting = "nobody waits";

  Receiver& start_node(NodeRuntime& runtime) override;
  void run_worker(NodeId node, std::uint32_t local_index) override;
  std::string waiting_text() const override { return waiting; }

 private:
  class Node;
  std::vector<std::shared_ptr<Node>> nodes_;
};

/// `nodes` nodes with one worker each on ethernet-10g.
ClusterSpec cluster_of(NodeId nodes);

/// Runs it with these options of the backend ("network: flow, quantum: 0") in this process: "" or
/// the RunError that it ended with.
std::string simulate(const ClusterSpec& cluster, const std::string& options, Program& program,
                     bool stop = false);

/// With nothing in it but room; `op` to know it by.
Message message(std::uint32_t op, std::uint32_t num_floats = 0, std::uint32_t num_keys = 0);

}  // namespace pslab::test
