// Keys move to the node whose worker asked for them last (Lapse: Renz-Wieland et al., PVLDB 13,
// 2020).

#include "api/registry.hpp"
#include "api/strategy.hpp"

namespace pslab {
namespace {

class Relocation final : public Strategy {
 public:
  explicit Relocation(config::Options& options)
      : range_(options.choice("placement", "hash", {"hash", "range"},
                              "home of a key: key modulo nodes, or equal ranges of keys") ==
               "range"),
        location_caches_(options.flag("location_caches", false,
                                      "nodes remember where they last saw a key and ask there "
                                      "first: 2 messages instead of 3 when "
                                      "right, 4 when stale; a worker may then miss its own "
                                      "asynchronous pushes for a while")) {}

  void plan(const Task& /*task*/, Plan& plan) override {
    plan.placement = range_ ? Placement::kRange : Placement::kHash;
    plan.location_caches = location_caches_;
  }

  bool relocates(Key /*key*/) const override { return true; }

  Guarantees guarantees() const override {
    return {.reads_own_writes = !location_caches_, .linearizable = true};
  }

 private:
  bool range_;
  bool location_caches_;
};

PSLAB_REGISTER(Strategy, Relocation, "relocation", "keys move to where they are used (Lapse)",
               "Renz-Wieland et al., PVLDB 13, 2020");

}  // namespace
}  // namespace pslab
