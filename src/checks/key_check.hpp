// The rules for one key's accesses in one epoch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/strategy.hpp"
#include "checks/history.hpp"
#include "checks/violation.hpp"

namespace pslab::checks {

struct Access {
  const Event* event;
  WorkerId worker;
  std::uint32_t process;  ///< order numbers of one process can be compared
  const float* seen;      ///< counters, the number of all pushes last; null: a push
};

/// What holds for a key.
struct Promises {
  const Guarantees& guarantees;
  bool replicated;                      ///< Plan::replicated
  const std::optional<Clocks>& clocks;  ///< Plan::clocks
};

class KeyCheck {
 public:
  /// `accesses`: all of this key. `settled`: per worker, its pushes in earlier epochs.
  KeyCheck(const EpochHistory& history, Key key, std::span<const Access> accesses,
           std::span<const std::uint32_t> settled, const Promises& promises);

  /// The one that showed first.
  std::optional<Violation> first_violation();

 private:
  struct Bounds;

  void check_alone(const Access& pull);
  void check_evaluation(const Access& pull);
  void check_whole(const Access& pull);
  std::uint32_t most_pushes(const Access& pull, WorkerId by) const;
  void check_staleness(const Access& pull);
  /// What had ended before a pull began, in its process.
  void check_against_earlier(std::span<const Access> of_process);
  void check_bounds(const Access& pull, const Bounds& bounds, Rule rule);
  void check_one_order();
  void found(Rule rule, const Access& pull, std::vector<WorkerId> others, std::string what);

  const EpochHistory& history_;
  Key key_;
  WorkerId workers_;
  std::span<const std::uint32_t> settled_;
  Promises promises_;
  bool linearizable_;
  std::vector<Access> accesses_;                   ///< by process, then by call
  std::vector<std::vector<const Event*>> pushes_;  ///< by worker, in the order of its calls
  std::optional<Violation> first_;
};

}  // namespace pslab::checks
