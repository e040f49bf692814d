// The options of the synthetic workload, and how many accesses of each sort a step makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.hpp"
#include "config/options.hpp"

namespace pslab::synthetic {

struct Options {
  Key keys;
  std::uint32_t value_length;   ///< floats
  std::uint32_t stored_length;  ///< of these: all, or one
  std::uint64_t steps;          ///< per worker and epoch
  std::uint64_t accesses;       ///< keys per step, direct and sample
  double sample_share;
  double write_share;
  double zipf;
  double sample_zipf;
  double compute_per_step;  ///< floating-point operations
  double locality;
  std::uint64_t lookahead;  ///< steps
  std::uint64_t together;   ///< steps announced together
  double drift;             ///< ranks per step
  std::uint64_t phases;     ///< per epoch
  bool evaluate;
  std::string trace;  ///< to replay; empty: none, accesses are drawn

  explicit Options(config::Options& options);

  /// Accesses of a worker in an epoch's steps before `step`; writes among a worker's first
  /// accesses of a sort. Shares are kept to within one access at every step.
  std::uint64_t samples_before(std::uint64_t step) const;
  std::uint64_t direct_before(std::uint64_t step) const {
    return accesses * step - samples_before(step);
  }
  std::uint64_t writes_among(std::uint64_t first_accesses) const;
};

/// Numbers of keys.
struct StepSizes {
  std::size_t direct;
  std::size_t direct_writes;  ///< of the direct ones
  std::size_t samples;
  std::size_t sample_writes;  ///< of the samples
};

StepSizes sizes_of(const Options& options, std::uint64_t step);

}  // namespace pslab::synthetic
