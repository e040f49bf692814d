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
  Checker(Key num_keys, WorkerId workers, const Guarantees& guarantees,
          const std::vector<Key>& replicated);

  /// Epochs in their order. First what is wrong for good (kOneOwner, kExactlyOnce), else the pull
  /// that showed first that a rule was broken.
  std::optional<Violation> check(const EpochHistory& history);

 private:
  std::optional<Violation> check_copies(const EpochHistory& history) const;
  std::optional<Violation> check_pulls(const EpochHistory& history) const;
  void refuse_what_floats_cannot_count(const EpochHistory& history) const;

  Key num_keys_;
  WorkerId workers_;
  Guarantees guarantees_;
  std::vector<bool> replicated_;        ///< by key
  std::vector<std::uint32_t> settled_;  ///< by key and worker: pushes of earlier epochs
};

}  // namespace pslab::checks
