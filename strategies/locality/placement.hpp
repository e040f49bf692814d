// Places each key on a node whose workers access it much, from the accesses that the workload
// expects of each node.
#pragma once

#include <memory>
#include <string>

#include "api/strategy.hpp"
#include "config/options.hpp"

namespace pslab::locality {

class Partitioner;

class LocalityPlacement {
 public:
  /// Reads its options; `used`: false: they must be at their defaults, for they have no effect.
  LocalityPlacement(config::Options& options, bool used);
  ~LocalityPlacement();

  /// Makes the placement an explicit one, and says in the run's log what it gains. Throws
  /// InputError when the workload does not know its accesses.
  void place(const Task& task, Plan& plan) const;

 private:
  std::unique_ptr<Partitioner> partitioner_;
  std::string name_;
  double imbalance_;
};

}  // namespace pslab::locality
