// Every node holds a replica of every key, and all accesses are local; what changes is exchanged by
// periodic all-reduce of deltas. The baseline of data-parallel training, as compared with by
// Renz-Wieland et al. (CIKM 2023). Needs the memory of all values on every node.

#include <numeric>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "strategies/options/all_reduce.hpp"

namespace pslab {
namespace {

class FullReplication final : public Strategy {
 public:
  explicit FullReplication(config::Options& options) : all_reduce_(read_all_reduce(options)) {}

  void plan(const Task& task, Plan& plan) override {
    plan.replicated.resize(task.keys.size());
    std::iota(plan.replicated.begin(), plan.replicated.end(), Key{0});
    plan.all_reduce = all_reduce_;
  }

  Guarantees guarantees() const override {
    return {.keeps_replica_sums = all_reduce_.keeps_sums()};
  }

 private:
  AllReduce all_reduce_;
};

PSLAB_REGISTER(Strategy, FullReplication, "full_replication",
               "all keys replicated everywhere, periodic all-reduce of changes",
               "baseline in Renz-Wieland et al., CIKM 2023");

}  // namespace
}  // namespace pslab
