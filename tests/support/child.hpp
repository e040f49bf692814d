// Runs a piece of a test in a process of its own: a process can hold one simulation, and what goes
// wrong there (a crash, an endless run) is a result rather than the end of the test.
#pragma once

#include <functional>
#include <string>

namespace pslab::test {

struct ChildResult {
  bool finished = false;  ///< ended by itself with exit code 0
  std::string text;       ///< what the work returned, or what was wrong
};

/// The text that `work` returns in the child; an exception it throws counts as "exception: ...".
/// The child is killed after `seconds`.
ChildResult run_in_child(const std::function<std::string()>& work, double seconds = 120.0);

}  // namespace pslab::test
