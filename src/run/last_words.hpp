// The last thing worth repeating that a run's processes or their launcher printed.
#pragma once

#include <string>

namespace pslab::run {

class LastWords {
 public:
  void take(const std::string& line);
  /// One line; empty: nothing was printed.
  std::string text() const;

 private:
  void end_block();

  bool in_block_ = false;     ///< between two lines of dashes, as mpirun frames its texts
  std::string block_;         ///< that has begun
  std::string first_block_;   ///< names the cause; others tell what came of it
  std::string last_;          ///< outside of blocks
  std::string last_general_;  ///< says only that something went wrong somewhere
};

}  // namespace pslab::run
