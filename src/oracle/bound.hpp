// The lower bound on the time of an epoch: what its workers did, with every key managed in the
// cheapest way. README.md describes the model and what it leaves out.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/key_space.hpp"
#include "graph/platform.hpp"
#include "oracle/accesses.hpp"
#include "oracle/costs.hpp"
#include "oracle/key_cost.hpp"

namespace pslab::oracle {

class Bound {
 public:
  /// `stale`: by key, whether copies of any age may be read. `keys` must outlive it.
  Bound(const graph::Platform& platform, const KeySpace& keys, std::uint32_t workers_per_node,
        std::vector<bool> stale);

  /// `workers`: what each did in one epoch (trace::OpWriter::epoch).
  double epoch_seconds(std::span<const std::string_view> workers);

 private:
  /// What a second of all workers' mean time, and of all servers' mean time, is worth.
  struct Weights {
    double workers;
    double servers;
  };

  /// The least that the access costs its worker, whatever is done about its key.
  double least(const Access& access) const;
  double section_seconds(const Section& section, NodeId node) const;
  double managed(std::span<const Access> accesses, const Weights& weights);
  Step step(const Access& access, std::uint32_t floats, const Weights& weights) const;

  const KeySpace& keys_;
  std::uint32_t workers_per_node_;
  std::vector<bool> stale_;
  Costs costs_;
  std::uint32_t floats_ = 0;  ///< of the key that key_cost_ is at
  KeyCost key_cost_;
};

}  // namespace pslab::oracle
