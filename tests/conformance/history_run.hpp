// Training runs whose history is checked, with defects injected or without.
#pragma once

#include <string>

#include "tests/conformance/random_run.hpp"

namespace pslab::test {

/// A run of random accesses of all kinds on a random cluster, as YAML. `overrides`:
/// "cluster.nodes=2;seed=3".
std::string random_history(const std::string& strategy, const std::string& options,
                           std::uint64_t seed, const std::string& overrides = "");

/// Runs the experiment of `config` with checks.history. "ok: 120 pulls, 130 pushes checked", or
/// what was wrong. Must run in a process of its own. The mutant's program is a run::Training.
std::string perform_history(const std::string& config, const Mutant& mutant = {});

}  // namespace pslab::test
