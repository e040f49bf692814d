// Expands the `sweep` and `repeats` of an experiment into its runs.
//
//   sweep:
//     strategy: [{name: static}, {name: hybrid}]    # crossed with every other axis
//     zip: {cluster.nodes: [1, 2], train.epochs: [8, 4]}    # one axis: first with first, ...
//   repeats: 3                                      # each combination with seed, seed + 1, seed +
//   2
//
// `zip` may also be a list of such maps, each an axis. The first axis varies slowest, the repeats
// fastest. A swept value replaces what the experiment has at its path, maps as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/value.hpp"

namespace pslab::config {

inline constexpr std::int64_t kDefaultSeed = 1;
inline constexpr std::int64_t kMaxSeed = 1'000'000'000'000'000;
inline constexpr std::int64_t kMaxRepeats = 10'000;
inline constexpr std::size_t kMaxRuns = 100'000;

/// A value that the sweep gives to one run.
struct Varied {
  std::string path;  ///< dotted, e.g. "cluster.nodes"
  Value value;
  std::string slug;  ///< for run ids, e.g. "nodes-4"; [A-Za-z0-9.+-], begins with a letter or
                     ///< digit; differs between different values of one path
};

struct SweepRun {
  Value config;                ///< the experiment without sweep and repeats; `seed` is this run's
  std::vector<Varied> varied;  ///< in the order of the file; zipped paths are neighbours
  std::int64_t repeat = 1;     ///< 1 .. repeats
  std::int64_t repeats = 1;
  std::int64_t base_seed = kDefaultSeed;  ///< of repeat 1
  std::int64_t seed = kDefaultSeed;       ///< base_seed + repeat - 1
};

/// InputError, with file, line and path, for a sweep that is malformed, that sweeps a path twice or
/// inside another one, has runs that are equal, or would hide an override from the command line.
std::vector<SweepRun> expand_sweep(const Value& experiment);

}  // namespace pslab::config
