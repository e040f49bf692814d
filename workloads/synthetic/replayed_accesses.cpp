#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "workloads/synthetic/accesses.hpp"
#include "workloads/synthetic/recording.hpp"
#include "workloads/synthetic/replay.hpp"

namespace pslab::synthetic {
namespace {

using trace::Kind;
using trace::Op;

bool accesses(const Op& op) {
  return op.kind == Kind::kPull || op.kind == Kind::kPullAsync || op.kind == Kind::kSample ||
         op.kind == Kind::kPush || op.kind == Kind::kPushAsync;
}

class ReplayedAccesses final : public Accesses {
 public:
  ReplayedAccesses(const Options& options, const LoadContext& context)
      : options_(options), workers_per_node_(context.workers_per_node), recording_(options.trace) {
    const WorkerId workers = context.nodes * context.workers_per_node;
    if (recording_.workers() == workers) return;
    const trace::Trace& trace = recording_.trace();
    fail_input(
        "workload.trace: {} was recorded with {} nodes x {} workers, but the cluster has {} x {}. "
        "Each worker does what one of the trace did: set cluster.nodes and "
        "cluster.workers_per_node to {} workers together, for instance {} and {}",
        options.trace, trace.nodes, trace.workers_per_node, context.nodes, workers_per_node_,
        recording_.workers(), trace.nodes, trace.workers_per_node);
  }

  KeySpace keys() const override { return recording_.keys(); }

  std::unique_ptr<WorkerTask> make_task(WorkerId worker) const override {
    return make_replay(options_, recording_, worker);
  }

  std::vector<float> direct_accesses() const override {
    std::vector<float> expected(recording_.keys().size(), 0.0F);
    std::vector<NodeId> by(expected.size(), kNobody);
    for (WorkerId worker = 0; worker < recording_.workers(); ++worker) {
      const NodeId node = worker / workers_per_node_;
      for_each_access(worker, [&](Key key) {
        expected[key] += share();
        by[key] = by[key] == kNobody || by[key] == node ? node : kSeveral;
      });
    }
    // Copies of what one node uses alone serve nobody.
    for (Key key = 0; key < expected.size(); ++key) {
      if (by[key] != kSeveral) expected[key] = 0.0F;
    }
    return expected;
  }

  std::vector<float> sample_accesses() const override { return {}; }

  std::vector<KeyCount> node_accesses(NodeId node) const override {
    std::map<Key, float> counts;
    for (WorkerId i = 0; i < workers_per_node_; ++i) {
      for_each_access(node * workers_per_node_ + i, [&](Key key) { counts[key] += share(); });
    }
    std::vector<KeyCount> list;
    for (const auto& [key, count] : counts)
      list.push_back({static_cast<std::uint32_t>(key), count});
    return list;
  }

  std::function<Key(Random&)> sample_distribution() const override { return {}; }

  std::vector<std::string> data_report() const override {
    const trace::Trace& trace = recording_.trace();
    return {fmt::format("trace of {} of {} nodes x {} workers: {} keys pulled and {} pushed, of {}",
                        counted(trace.epochs, "epoch"), trace.nodes, trace.workers_per_node,
                        recording_.pulled(), recording_.pushed(),
                        counted(recording_.keys().size(), "key"))};
  }
  std::uint64_t data_bytes() const override { return recording_.bytes(); }

 private:
  static constexpr NodeId kNobody = ~NodeId{0};
  static constexpr NodeId kSeveral = kNobody - 1;

  /// Of an access in an epoch's mean.
  float share() const { return 1.0F / static_cast<float>(recording_.trace().epochs); }

  template <typename Take>
  void for_each_access(WorkerId worker, Take take) const {
    trace::OpReader ops = recording_.all(worker);
    for (Op op; ops.next(op);) {
      if (accesses(op)) std::ranges::for_each(op.keys, take);
    }
  }

  const Options& options_;
  std::uint32_t workers_per_node_;
  Recording recording_;
};

}  // namespace

std::unique_ptr<Accesses> replayed_accesses(const Options& options, const LoadContext& context) {
  return std::make_unique<ReplayedAccesses>(options, context);
}

}  // namespace pslab::synthetic
