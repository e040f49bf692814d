// Which keys are accessed how often.
//
// Zipf's law gives the rank of an access. Drift turns ranks into places in the order of popularity:
// at step t of an epoch, rank r is at place (r + floor(drift t)) modulo the number of keys. The
// order, a pseudo-random permutation, says which key is at a place; each phase has another.
// Locality: the places g W to g W + W - 1 form group g, W being the number of workers, and place
// g W + w belongs to worker w; a remainder of fewer than W places counts to the last group and
// belongs to nobody. A local access goes to the worker's own place in the group of the place that
// was drawn. So the popularity of a group does not depend on locality.
#pragma once

#include <cstdint>
#include <vector>

#include "base/permutation.hpp"
#include "base/random.hpp"
#include "base/types.hpp"
#include "base/zipf.hpp"
#include "workloads/synthetic/options.hpp"

namespace pslab::synthetic {

class Popularity {
 public:
  /// Throws InputError when locality needs more keys.
  Popularity(const Options& options, WorkerId workers, std::uint64_t seed);

  /// The key of a direct access in step `step` of an epoch.
  Key draw(WorkerId worker, std::uint64_t step, Random& random) const;
  /// The key of a sample access.
  Key draw_sample(Random& random) const;

  /// The first step of a phase; the number of steps for the phase after the last.
  std::uint64_t first_step(std::uint64_t phase) const;
  /// Adds to `expected`, for every key, its share of `accesses` direct accesses that the workers
  /// make in this phase, as many each. The steps' shifts by drift are taken as evenly spread from
  /// the first to the last, which they are up to 1 rank per step.
  void add_direct(std::uint64_t phase, double accesses, std::vector<float>& expected) const;
  /// The same for sample accesses.
  void add_samples(double accesses, std::vector<float>& expected) const;

 private:
  struct Shifts;
  class Adder;

  std::uint64_t phase_of(std::uint64_t step) const;
  std::uint64_t shift_at(std::uint64_t step) const;
  double probability(Key place, const Shifts& shifts) const;

  Key keys_;
  std::uint64_t steps_;
  double locality_;
  double drift_;
  WorkerId workers_;
  Key groups_;
  Zipf direct_;
  Zipf sample_;
  std::vector<Permutation> orders_;  ///< of each phase, from place to key
};

}  // namespace pslab::synthetic
