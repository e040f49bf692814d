// What a checked history can break.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace pslab::checks {

enum class Rule {
  kOneOwner,         ///< after an epoch a key has one owner, or a replica on every node
  kExactlyOnce,      ///< after an epoch every copy of every key contains all pushes, each once
  kReplicasAgree,    ///< after an epoch all replicas of a key are the same
  kEvaluation,       ///< what evaluation pulls contains all pushes
  kWholeValues,      ///< what is pulled is all of one state of a value
  kNothingInvented,  ///< a pull sees no push that was not made before its wait ended
  kSettled,          ///< a pull sees all pushes of earlier epochs
  kReadsOwnWrites,   ///< a pull sees all pushes that its worker made before the call
  kMonotonicReads,   ///< a pull sees what an earlier one of its worker saw
  kStaleness,        ///< a pull sees all pushes that others made before its clock - staleness
  kOneOrder,         ///< all pulls of a key see its pushes in one order
  kRealTime,         ///< a pull sees what had been seen or acknowledged before it began
};
const char* name(Rule rule);

struct Violation {
  Rule rule = Rule::kOneOwner;
  Key key = 0;
  /// When it showed; infinity: at the end of the epoch.
  double time_s = std::numeric_limits<double>::infinity();
  std::string what{};               ///< what was read and what was allowed
  std::vector<WorkerId> workers{};  ///< whom it concerns
  std::size_t keys = 1;             ///< how many keys show a violation
};

}  // namespace pslab::checks
