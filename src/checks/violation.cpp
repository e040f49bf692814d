#include "checks/violation.hpp"

namespace pslab::checks {

const char* name(Rule rule) {
  switch (rule) {
    case Rule::kOneOwner:
      return "one owner";
    case Rule::kExactlyOnce:
      return "every update exactly once";
    case Rule::kReplicasAgree:
      return "replicas agree";
    case Rule::kEvaluation:
      return "evaluation sees all updates";
    case Rule::kWholeValues:
      return "whole values";
    case Rule::kNothingInvented:
      return "no update from nowhere";
    case Rule::kSettled:
      return "updates of earlier epochs stay";
    case Rule::kReadsOwnWrites:
      return "reads own writes";
    case Rule::kMonotonicReads:
      return "monotonic reads";
    case Rule::kStaleness:
      return "bounded staleness";
    case Rule::kOneOrder:
      return "one order of updates per key";
    case Rule::kRealTime:
      return "completed updates are seen";
  }
  return "";
}

}  // namespace pslab::checks
