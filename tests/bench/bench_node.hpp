// A node's mechanisms without a training task: what the store and remote access cost by themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/backend.hpp"
#include "api/key_space.hpp"
#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "config/yaml.hpp"
#include "manager/node_core.hpp"

namespace pslab::bench {

inline constexpr Key kKeys = 200'000;
inline constexpr std::uint32_t kLength = 32;  ///< floats per value

/// Workers do what a subclass says.
class BareProgram : public Program {
 public:
  BareProgram(const ClusterSpec& cluster, const std::string& strategy, const std::string& options)
      : keys_({{"keys", kKeys, kLength}}), nodes_(cluster.nodes) {
    const config::Value given = config::parse_yaml(options, "bench");
    config::Options read(&given, "strategy");
    strategy_ = Registry<Strategy>::instance().find(strategy, "strategy", "bench").make(read);
    const std::vector<float> none;
    const auto unknown = [&]() -> const std::vector<float>& { return none; };
    strategy_->plan(Task{keys_, cluster.nodes, cluster.workers_per_node, unknown, unknown}, plan_);
    setup_ = std::make_unique<manager::Setup>(
        manager::Setup{keys_, plan_, *strategy_, cluster.workers_per_node,
                       [](Key, std::span<float> value) { std::ranges::fill(value, 0.0F); },
                       [](const std::vector<std::vector<double>>& all) { return all[0]; },
                       [](const std::vector<double>&) {}, cluster.seed});
  }

  Receiver& start_node(NodeRuntime& runtime) override {
    auto& node = nodes_[runtime.node()];
    node = std::make_unique<manager::NodeCore>(*setup_, runtime);
    return *node;
  }
  void run_worker(NodeId /*node*/, std::uint32_t /*local_index*/) override {}
  std::string waiting_text() const override { return "unknown"; }
  manager::NodeCore& node(NodeId id) { return *nodes_[id]; }

 private:
  KeySpace keys_;
  Plan plan_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<manager::Setup> setup_;
  std::vector<std::unique_ptr<manager::NodeCore>> nodes_;
};

}  // namespace pslab::bench
