#include "tests/golden/scripted_program.hpp"

#include <atomic>

#include "api/registry.hpp"
#include "config/yaml.hpp"

namespace pslab::test {

class ScriptedProgram::Node final : public Receiver {
 public:
  Node(ScriptedProgram& program, NodeRuntime& runtime) : program_(program), runtime_(runtime) {}
  void receive(Message message) override { program_.on_message(runtime_, message); }
  NodeRuntime& runtime() { return runtime_; }

 private:
  ScriptedProgram& program_;
  NodeRuntime& runtime_;
};

Receiver& ScriptedProgram::start_node(NodeRuntime& runtime) {
  nodes_.push_back(std::make_shared<Node>(*this, runtime));
  return *nodes_.back();
}

void ScriptedProgram::run_worker(NodeId node, std::uint32_t local_index) {
  NodeRuntime& runtime = nodes_[node]->runtime();
  work(runtime, runtime.worker(local_index));
}

ClusterSpec cluster_of(NodeId nodes) {
  ClusterSpec cluster;
  cluster.nodes = nodes;
  cluster.platform = "ethernet-10g";
  cluster.root = PSLAB_SOURCE_DIR;
  return cluster;
}

std::string simulate(const ClusterSpec& cluster, const std::string& options, Program& program,
                     bool stop) {
  const config::Value given = config::parse_yaml("{" + options + "}", "test");
  config::Options read(&given, "sim");
  const auto backend = Registry<Backend>::instance().find("sim", "backend", "test").make(read);
  read.finish();
  const std::atomic<bool> stopped{stop};
  try {
    backend->execute(cluster, program, stopped);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

Message message(std::uint32_t op, std::uint32_t num_floats, std::uint32_t num_keys) {
  MessageHeader header;
  header.op = op;
  header.num_floats = num_floats;
  header.num_keys = num_keys;
  return Message(header);
}

}  // namespace pslab::test
