// Every key stays where it was placed: the classic parameter server (Li et al., OSDI 2014). With
// fast local access, workers use their own node's values in shared memory; without, they ask their
// own server like any other (PS-Lite).

#include <string>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "strategies/locality/placement.hpp"

namespace pslab {
namespace {

class Static final : public Strategy {
 public:
  explicit Static(config::Options& options)
      : placement_(options.choice("placement", "hash", {"hash", "range", "locality"},
                                  "node of a key: key modulo nodes; equal ranges of keys; or one "
                                  "whose workers access it much, as far as the workload knows")),
        locality_(options, placement_ == "locality"),
        fast_local_access_(options.flag("fast_local_access", true,
                                        "workers use values of their own node in shared memory")) {}

  void plan(const Task& task, Plan& plan) override {
    plan.placement = placement_ == "range" ? Placement::kRange : Placement::kHash;
    if (placement_ == "locality") locality_.place(task, plan);
    plan.fast_local_access = fast_local_access_;
  }

 private:
  std::string placement_;
  locality::LocalityPlacement locality_;
  bool fast_local_access_;
};

PSLAB_REGISTER(Strategy, Static, "static",
               "keys stay where they were placed (classic parameter server)",
               "Li et al., OSDI 2014");

}  // namespace
}  // namespace pslab
