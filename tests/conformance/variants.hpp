// Which strategies the conformance suite runs, and with which options: every registered one with
// its defaults, and further variants of those that have options worth it.
#pragma once

#include <string>
#include <vector>

#include "api/registry.hpp"
#include "api/strategy.hpp"
#include "strategies/locality/partitioner.hpp"

namespace pslab::test {

struct Variant {
  std::string strategy;
  std::string options;
};

inline std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const std::string& name : Registry<Strategy>::instance().names())
    all.push_back({name, "{}"});
  all.push_back({"static", "{placement: range, fast_local_access: false}"});
  all.push_back({"static", "{placement: locality}"});
  if (locality::make_metis() != nullptr) {
    all.push_back({"static", "{placement: locality, partitioner: metis, imbalance: 0.5}"});
  }
  all.push_back({"relocation", "{location_caches: true, placement: range}"});
  all.push_back({"full_replication", "{sync_rate: 20000}"});
  all.push_back({"hybrid", "{replicated_keys: 6, sync_rate: 20000}"});
  all.push_back({"hybrid", "{replicated_keys: 1000, sync_rate: 0}"});
  all.push_back({"adaptive", "{rounds_per_second: 20000}"});
  all.push_back(
      {"adaptive", "{rounds_per_second: 100000, timing: at_once, location_caches: true}"});
  all.push_back({"adaptive", "{rounds_per_second: 20000, technique: relocate}"});
  all.push_back({"adaptive", "{rounds_per_second: 20000, technique: replicate}"});
  for (const std::string name : {"ssp", "essp"}) {
    all.push_back({name, "{staleness: 0, steps_per_clock: 1}"});
    all.push_back({name, "{staleness: 2, steps_per_clock: 3, placement: range}"});
  }
  all.push_back({"hybrid", "{replicated_keys: 6, sync_rate: 20000, sync_method: tree}"});
  all.push_back({"full_replication", "{sync_rate: 20000, sync_method: owner_hub}"});
  all.push_back({"full_replication", "{sync_rate: 20000, sync_threshold: 2.5}"});
  all.push_back({"hybrid", "{replicated_keys: 6, sync_rate: 20000, average: true}"});
  all.push_back({"hybrid", "{replicated_keys: 4, sync_rate: 20000, rest: static}"});
  all.push_back({"full_replication", "{sync_rate: 20000, clip: 0.5, sync_method: tree}"});
  return all;
}

}  // namespace pslab::test
