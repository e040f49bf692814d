#include "oracle/bound.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace pslab::oracle {

Bound::Bound(const graph::Platform& platform, const KeySpace& keys, std::uint32_t workers_per_node,
             std::vector<bool> stale)
    : keys_(keys),
      workers_per_node_(workers_per_node),
      stale_(std::move(stale)),
      costs_(platform),
      key_cost_(
          platform.nodes(),
          [this](NodeId from, NodeId to) { return costs_.transfer(from, to, floats_); },
          costs_.uniform()) {}

double Bound::epoch_seconds(std::span<const std::string_view> workers) {
  const std::string place = "the trace of the epoch";
  std::vector<double> longest;  // by section, of the worker that it takes longest
  double fixed = 0.0;           // of all workers: what no management of keys changes
  std::vector<Access> accesses;
  for (std::size_t worker = 0; worker < workers.size(); ++worker) {
    const auto node = static_cast<NodeId>(worker / workers_per_node_);
    const auto sections = read_sections(workers[worker], keys_.size(), node, place);
    longest.resize(std::max(longest.size(), sections.size()), 0.0);
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const double seconds = section_seconds(sections[i], node);
      longest[i] = std::max(longest[i], seconds);
      fixed += seconds;
      for (const Access& access : sections[i].accesses) {
        if (stale_[access.key]) continue;
        fixed -= least(access);
        accesses.push_back(access);
      }
    }
  }
  double bound = 0.0;
  for (const double seconds : longest) bound += seconds;
  if (costs_.nodes() == 1) return bound;
  std::ranges::stable_sort(
      accesses, {}, [](const Access& access) { return std::pair(access.key, access.executed); });
  constexpr std::array kServers = {0.0, 0.25, 0.5, 0.75, 1.0};
  for (const double servers : kServers) {
    const Weights weights{(1.0 - servers) / static_cast<double>(workers.size()),
                          servers / costs_.nodes()};
    bound = std::max(bound, weights.workers * fixed + managed(accesses, weights));
  }
  return bound;
}

double Bound::section_seconds(const Section& section, NodeId node) const {
  double seconds = costs_.compute(node, section.flops, static_cast<double>(section.computations));
  for (const Access& access : section.accesses) seconds += least(access);
  for (const Access& access : section.samples) seconds += least(access);
  return seconds;
}

double Bound::least(const Access& access) const {
  const std::uint32_t floats = keys_.length(access.key) * keys_.represents();
  return std::min(costs_.local(access.node, floats),
                  costs_.sending(access.node, access.call_keys, access.write ? floats : 0));
}

/// Accesses in the order of their keys, then of time.
double Bound::managed(std::span<const Access> accesses, const Weights& weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < accesses.size();) {
    const std::uint32_t key = accesses[i].key;
    floats_ = keys_.length(key) * keys_.represents();
    key_cost_.begin({.copy = weights.servers * costs_.serve_copy(floats_),
                     .move = weights.servers * costs_.serve_move(floats_)},
                    costs_.longest_transfer(floats_));
    for (; i < accesses.size() && accesses[i].key == key; ++i) {
      key_cost_.take(step(accesses[i], floats_, weights));
    }
    sum += key_cost_.cheapest();
  }
  return sum;
}

Step Bound::step(const Access& access, std::uint32_t floats, const Weights& weights) const {
  Step step{.node = access.node,
            .write = access.write,
            .executed = access.executed,
            .waits_from = access.waits_from};
  step.here = weights.workers * costs_.local(access.node, floats);
  step.wait = weights.workers / access.distinct_keys;
  step.remote = weights.workers * least(access);
  if (access.write) return step;
  const double waits = costs_.round_trip(access.node, floats) - double{access.slack};
  step.remote = std::max(step.remote, step.wait * waits) +
                weights.servers * costs_.serve_request(access.call_keys, floats);
  return step;
}

}  // namespace pslab::oracle
