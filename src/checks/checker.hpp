// Decides whether an epoch's history is one that the strategy promises. Knows nothing of how it was
// recorded, so that it can be tested on histories written by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/strategy.hpp"
#include "checks/history.hpp"
#include "checks/violation.hpp"

namespace pslab::checks {

class Checker {
 public:
  Checker(Key num_keys, WorkerId workers, const Guarantees& guarantees, const Plan& plan);

  /// Epochs in their order. First what is wrong for good (kOneOwner, kExactlyOnce,
  /// kReplicasAgree), else the pull
  /// that showed first that a rule was broken.
  std::optional<Violation> check(const EpochHistory& history);

 private:
  std::optional<Violation> check_copies(const EpochHistory& history) const;
  std::optional<Violation> check_pulls(const EpochHistory& history) const;
  /// Whether the values of a key say which pushes they contain; else only its copies are compared.
  bool keeps_sums(Key key) const { return guarantees_.keeps_replica_sums || !replicated_[key]; }
  void refuse_what_floats_cannot_count(const EpochHistory& history) const;

  Key num_keys_;
  WorkerId workers_;
  Guarantees guarantees_;
  std::optional<Clocks> clocks_;
  std::vector<bool> replicated_;        ///< by key
  std::vector<std::uint32_t> settled_;  ///< by key and worker: pushes of earlier epochs
};

}  // namespace pslab::checks
