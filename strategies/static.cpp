// Every key stays where it was placed: the classic parameter server (Li et al., OSDI 2014). With
// fast local access, workers use their own node's values in shared memory; without, they ask their
// own server like any other (PS-Lite).

#include "api/registry.hpp"
#include "api/strategy.hpp"

namespace pslab {
namespace {

class Static final : public Strategy {
 public:
  explicit Static(config::Options& options)
      : range_(options.choice("placement", "hash", {"hash", "range"},
                              "node of a key: key modulo nodes, or equal ranges of keys") ==
               "range"),
        fast_local_access_(options.flag("fast_local_access", true,
                                        "workers use values of their own node in shared memory")) {}

  void plan(const Task& /*task*/, Plan& plan) override {
    plan.placement = range_ ? Placement::kRange : Placement::kHash;
    plan.fast_local_access = fast_local_access_;
  }

 private:
  bool range_;
  bool fast_local_access_;
};

PSLAB_REGISTER(Strategy, Static, "static",
               "keys stay where they were placed (classic parameter server)",
               "Li et al., OSDI 2014");

}  // namespace
}  // namespace pslab
