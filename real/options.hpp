// How the real backend works. `pslab describe backend.real` explains each.
#pragma once

namespace pslab::real {

struct RealOptions {
  bool hogwild = false;        ///< see NodeRuntime::torn_reads
  bool coalesce = true;        ///< join messages into transfers
  double answer_within = 8.0;  ///< seconds; see Watch
  double stall_limit = 60.0;   ///< seconds; see Watch
};

}  // namespace pslab::real
