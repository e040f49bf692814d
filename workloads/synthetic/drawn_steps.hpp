// The direct accesses of a worker's next steps, drawn ahead in the order of the steps, so that what
// is drawn does not depend on how far ahead.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/types.hpp"
#include "workloads/synthetic/options.hpp"
#include "workloads/synthetic/popularity.hpp"

namespace pslab::synthetic {

class DrawnSteps {
 public:
  /// Of one epoch. Keeps the steps of `options.lookahead` and those announced together, none yet.
  DrawnSteps(const Options& options, const Popularity& popularity, WorkerId worker, Random random);

  /// The next step that is not drawn; the first is 0.
  std::uint64_t next() const { return next_; }
  /// Draws that step, in the place of the oldest one, and gives its keys.
  std::span<const Key> draw();
  /// The keys of a step that is kept.
  std::span<const Key> keys(std::uint64_t step) const;

 private:
  const Options& options_;
  const Popularity& popularity_;
  WorkerId worker_;
  Random random_;
  std::uint64_t next_ = 0;
  std::vector<std::vector<Key>> kept_;  ///< a ring: step modulo its size
};

}  // namespace pslab::synthetic
