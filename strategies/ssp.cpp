// Stale synchronous parallel: keys stay where they are, and each node works on copies of what it
// accesses. A copy that may miss pushes from before the worker's clock - staleness is refreshed
// before it is read (SSP; Ho et al., NIPS 2013). ESSP: the owner pushes what has changed to all who
// have ever read a key when the slowest node goes on to its next clock (Dai et al., AAAI 2015).

#include "api/registry.hpp"
#include "api/strategy.hpp"

namespace pslab {
namespace {

class StaleSynchronous : public Strategy {
 public:
  StaleSynchronous(config::Options& options, bool server_push)
      : placement_(options.choice("placement", "hash", {"hash", "range"},
                                  "owner of a key: key modulo nodes, or equal ranges of keys") ==
                           "hash"
                       ? Placement::kHash
                       : Placement::kRange) {
    clocks_.staleness = static_cast<std::uint32_t>(
        options.integer("staleness", 1, 0, 1'000'000'000, "clocks",
                        "a worker at clock c reads all pushes that others made before their clock "
                        "c - staleness; 0: as if there were a barrier after every clock"));
    clocks_.steps_per_clock = static_cast<std::uint64_t>(options.integer(
        "steps_per_clock", 100, 1, 1'000'000'000'000, "steps",
        "steps of the task (data points) that make a clock: after as many, a worker "
        "sends what it has pushed"));
    clocks_.server_push = server_push;
  }

  void plan(const Task& /*task*/, Plan& plan) override {
    plan.placement = placement_;
    plan.clocks = clocks_;
  }
  Guarantees guarantees() const override { return {.linearizable = false}; }

 private:
  Placement placement_;
  Clocks clocks_;
};

class Ssp final : public StaleSynchronous {
 public:
  explicit Ssp(config::Options& options) : StaleSynchronous(options, false) {}
};
class Essp final : public StaleSynchronous {
 public:
  explicit Essp(config::Options& options) : StaleSynchronous(options, true) {}
};

PSLAB_REGISTER(Strategy, Ssp, "ssp",
               "copies of bounded staleness that nodes refresh when they read (SSP)",
               "Ho et al., NIPS 2013");
PSLAB_REGISTER(Strategy, Essp, "essp",
               "copies of bounded staleness that owners keep up to date (ESSP)",
               "Dai et al., AAAI 2015");

}  // namespace
}  // namespace pslab
